/** The application that lives through the faults, in processes of its own. */
package io.distributedfallback.it.faults.app;
