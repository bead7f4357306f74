/**
 * A catalogue of games and anime, and how an application uses Distributed Fallback. Begin with
 * {@link io.distributedfallback.sample.games.GameCatalog}; the configuration is in
 * {@code META-INF/microprofile-config.properties}.
 */
package io.distributedfallback.sample;
