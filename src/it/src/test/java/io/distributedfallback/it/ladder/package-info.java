/** The fallback ladder as a whole: what a database lives through while the cache before it is away. */
package io.distributedfallback.it.ladder;
