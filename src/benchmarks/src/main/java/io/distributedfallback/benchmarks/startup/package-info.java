/** What the extension adds to the start of an application. */
package io.distributedfallback.benchmarks.startup;
