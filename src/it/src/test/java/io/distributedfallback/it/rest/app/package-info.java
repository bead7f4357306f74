/** An application whose methods let exceptions of breakers and limits pass to Jakarta REST. */
package io.distributedfallback.it.rest.app;
