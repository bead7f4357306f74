/** An application without breakers that takes what it finds. */
package io.distributedfallback.it.server.neighbour;
