/** What a server with metrics, telemetry and health shows of the breakers. */
package io.distributedfallback.it.seen;
