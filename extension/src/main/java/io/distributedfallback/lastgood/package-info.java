/** Good results of a primary, kept in the memory of one instance for the time when there are no new ones. */
package io.distributedfallback.lastgood;
