/** What failures and instances cost the database, counted by the database. */
package io.distributedfallback.benchmarks.store;
