/** Caps the calls of fallbacks: permits of an instance or of all, calls under way, and pauses. Knows no container. */
package io.distributedfallback.limit;
