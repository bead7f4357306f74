/** What one guarded call costs. */
package io.distributedfallback.benchmarks.call;
