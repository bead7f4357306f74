/** One command, one table: what a guarded call costs, beside its peers. */
package io.distributedfallback.benchmarks;
