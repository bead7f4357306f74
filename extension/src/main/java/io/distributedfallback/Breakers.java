package io.distributedfallback;

import java.util.Collection;

/** The breakers of the application. An injectable CDI bean; thread-safe. */
public interface Breakers {

    /**
     * The breaker of a name, whether an annotation names it or not. It gets the policy that {@link BreakerPolicy} and
     * the configuration have for that name.
     *
     * @param name 1 to 200 characters, case-sensitive
     * @return the breaker
     * @throws IllegalArgumentException if the name is empty, blank or too long, or holds a control character or an
     *     invisible one
     */
    Breaker get(String name);

    /**
     * The breakers that annotations name or that have been asked for.
     *
     * @return a copy, sorted by name
     */
    Collection<Breaker> all();
}
