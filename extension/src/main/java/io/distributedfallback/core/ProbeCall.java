package io.distributedfallback.core;

/** One small real request to a provider. */
@FunctionalInterface
public interface ProbeCall {

    /**
     * Asks the provider. May be interrupted.
     *
     * @return whether it works
     * @throws Exception classified like the failure of a guarded call
     */
    boolean passes() throws Exception;

    /**
     * The same for one key of the breaker.
     *
     * @param key as the call had it; as it stands in the name if it is longer than a name may be
     * @return this one, if it asks for all keys alike
     */
    default ProbeCall forKey(String key) {
        return this;
    }
}
