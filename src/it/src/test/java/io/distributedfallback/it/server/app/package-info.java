/** An application that uses everything there is. */
package io.distributedfallback.it.server.app;
