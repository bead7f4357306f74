package io.distributedfallback.benchmarks.call;

/** A way to call a provider. */
@FunctionalInterface
interface Subject extends AutoCloseable {

    String ask(Provider provider) throws Exception;

    @Override
    default void close() {}
}
