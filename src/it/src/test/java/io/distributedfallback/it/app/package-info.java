/** The application that the cluster runs: what a user would write, and endpoints that show what the tests need. */
package io.distributedfallback.it.app;
