/**
 * The public API, and the only compatibility promise: the annotations {@link io.distributedfallback.DistributedFallback},
 * {@link io.distributedfallback.Probe} and {@link io.distributedfallback.BreakerPolicy}, the injectable
 * {@link io.distributedfallback.Breakers}, the events, and the types that these speak of.
 */
package io.distributedfallback;
