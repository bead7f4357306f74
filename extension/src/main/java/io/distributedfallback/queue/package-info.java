/**
 * Calls that wait: stored instead of made, and made later. Needs a store for them, threads and somebody who makes them, and
 * knows neither SQL nor CDI.
 */
package io.distributedfallback.queue;
