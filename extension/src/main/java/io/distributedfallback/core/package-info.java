/**
 * The engine: pure JDK, with no framework and no clock of its own. It decides which change is wanted; the store behind
 * {@link io.distributedfallback.core.BreakerStore} does the arithmetic and says who won.
 */
package io.distributedfallback.core;
