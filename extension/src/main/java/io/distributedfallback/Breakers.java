package io.distributedfallback;

import java.util.Collection;

/** The breakers of the application. An injectable CDI bean; thread-safe. */
public interface Breakers {

    /**
     * The breaker of a name, whether an annotation names it or not. It gets the policy that {@link BreakerPolicy} and
     * the configuration have for that name.
     *
     * @param name 1 to 200 characters, case-sensitive, the last of them no {@code ]}
     * @return the breaker
     * @throws IllegalArgumentException if the name is empty, blank or too long, or holds a control character or an
     *     invisible one
     */
    Breaker get(String name);

    /**
     * The breaker of one key of a breaker, as {@link BreakerKey} has it: {@code <name>[<key>]}, with a state of its own and
     * the policy, the probe and the classification of {@code <name>}.
     *
     * <p>Ask for it with each call, and do not keep it: one that has been idle for a while is dropped from memory, and
     * another object is made for the next call. One that is kept all the same goes on working.
     *
     * @param name 1 to 134 characters, else as in {@link #get(String)}
     * @param key the key, by its {@code toString}; whatever it is, it is taken, as {@link BreakerKey} says
     * @return the breaker of the key; that of the name if the key is null, empty or blank, its {@code toString} throws, or
     *     this instance has {@code max-keys} others in memory
     * @throws IllegalArgumentException if the name cannot be used
     */
    Breaker get(String name, Object key);

    /**
     * The breakers that annotations name or that have been asked for, those of keys as far as this instance has them in
     * memory.
     *
     * @return a copy, sorted by name
     */
    Collection<Breaker> all();

    /**
     * What this instance's copy of the store is worth now. Never waits for the store.
     *
     * @return a consistent reading
     */
    CopyStatus copy();
}
