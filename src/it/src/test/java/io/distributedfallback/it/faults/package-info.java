/**
 * What breaks, and the proof that the breakers work on. A {@link io.distributedfallback.it.faults.World} is a cluster of
 * instances under load, with a database and a provider; a {@link io.distributedfallback.it.faults.Round} lets the provider
 * fail and a {@link io.distributedfallback.it.faults.Fault} strike at the same time; afterwards the
 * {@linkplain io.distributedfallback.it.faults.rule rules} are held against all that was recorded.
 */
package io.distributedfallback.it.faults;
