/** The wiring: what the beans of an application declare becomes breakers, fallbacks and probes. Nothing else. */
package io.distributedfallback.cdi;
