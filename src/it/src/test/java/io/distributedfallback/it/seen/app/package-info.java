/** The application of these tests. */
package io.distributedfallback.it.seen.app;
