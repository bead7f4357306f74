/**
 * Stands in for the five providers of the sample, in the shapes of their real APIs, and fails when told to. A
 * development tool: whoever can reach it can steer it, so it belongs on a loopback address.
 */
package io.distributedfallback.simulator;
