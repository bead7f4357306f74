/** What breaks on a server: its pools, its threads, and the applications that come and go. */
package io.distributedfallback.it.server;
