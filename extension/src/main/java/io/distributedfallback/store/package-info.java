/**
 * The breakers in PostgreSQL, by way of Jakarta Persistence: {@link io.distributedfallback.store.JpaBreakerStore} and its
 * settings are for whoever wires the extension, all else is this package's own.
 */
package io.distributedfallback.store;
