/** Runs the TCK of MicroProfile Fault Tolerance with the extension in every archive, and checks that it was there. */
package io.distributedfallback.tck;
