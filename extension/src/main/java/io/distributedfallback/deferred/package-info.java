/** Work after the request, on the server's managed executors. */
package io.distributedfallback.deferred;
