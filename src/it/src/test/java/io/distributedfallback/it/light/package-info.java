/** Instances without a server: plain Weld in a process of its own. */
package io.distributedfallback.it.light;
