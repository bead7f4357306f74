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
}
