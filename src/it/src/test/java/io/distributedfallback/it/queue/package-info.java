/** Stored calls, and instances that are killed while they make them. */
package io.distributedfallback.it.queue;
