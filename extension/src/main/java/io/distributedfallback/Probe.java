package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the method that asks a provider, with one small real request, whether it is back.
 *
 * <p>The method stands on any CDI bean, takes no parameters, or one String, and returns {@code void} (returning normally
 * is a pass)
 * or {@code boolean} (true is a pass). An exception is classified like one of a guarded call: an outage is a fail;
 * what says nothing about the provider's health leaves the question open. It is called by at most one instance at a
 * time, after the request that noticed that it is due, on a managed thread with a request context of its own and no
 * transaction. After the breaker's {@code probe-timeout} it is interrupted and has failed.
 *
 * <p>Of a breaker with {@linkplain BreakerKey keys} each key recovers by itself. A method without parameters serves all of
 * them alike. One that takes a String gets the key, as the call had it; null for the breaker of the calls without a key or
 * beyond {@code max-keys}; and what stands in the brackets of the name for a key that is longer than 200 characters.
 *
 * <p>A breaker has at most one probe; a {@code probe-url} in the configuration replaces it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Probe {

    /**
     * The breaker that the probe can close.
     *
     * @return the breaker's name, as in {@link DistributedFallback#breaker()}
     */
    String value();
}
