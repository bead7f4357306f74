package io.distributedfallback.observe;

import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Where measurements go: one of the metrics APIs. Thread-safe. */
interface MetricSink extends AutoCloseable {

    /** A counter. What is returned adds to it, on any thread, and neither blocks nor allocates. */
    LongConsumer counter(Metric metric, Label... labels);

    /** A distribution of durations. What is returned takes one in nanoseconds. */
    LongConsumer durations(Metric metric, Label... labels);

    /** A value that goes up and down; not a number while it is not known. Asked when somebody looks. */
    void gauge(Metric metric, DoubleSupplier value, Label... labels);

    /** A value that only grows. Asked when somebody looks. */
    void total(Metric metric, LongSupplier value, Label... labels);

    /** Removes all that was put here. */
    @Override
    void close();
}
