package io.distributedfallback.core;

import java.util.Optional;

/** Carries what waits in a {@link CoalescingWriter}, one load after the other, until nothing does or it is given up. */
final class Carrier implements Runnable {

    private final CoalescingWriter writer;
    private final Delivery delivery;
    private volatile long sinceNanos;
    private volatile Optional<Load> load = Optional.empty();

    Carrier(CoalescingWriter writer, Delivery delivery, long sinceNanos) {
        this.writer = writer;
        this.delivery = delivery;
        this.sinceNanos = sinceNanos;
    }

    @Override
    public void run() {
        while (writer.handOver(this)) {
            Load carried = load.orElseThrow();
            try {
                delivery.deliver(carried);
            } finally {
                writer.land(carried, Load::returnTo);
            }
        }
    }

    /** Has the next load from now on. */
    void setOut(Load next, long now) {
        sinceNanos = now;
        load = Optional.of(next);
    }

    /** Whether it has had a load; doubts are settled with the first. */
    boolean hasSetOut() {
        return load.isPresent();
    }

    /** Since when it is on its way with its load, or waits for a thread to set out on. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** What it has on its way, or brought last. */
    Optional<Load> load() {
        return load;
    }
}
