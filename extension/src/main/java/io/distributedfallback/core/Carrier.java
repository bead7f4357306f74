package io.distributedfallback.core;

import java.util.Optional;

/**
 * Carries what waits in a {@link CoalescingWriter}, one load after the other, until nothing does or it is given up. Whoever
 * waits for a load may be woken by another thread while this one goes on; if none is free for that, by this one after the
 * next load, or when there is none. So nobody waits for a thread, and no crowd grows that nobody wakes.
 */
final class Carrier implements Background.Awaited {

    private final CoalescingWriter writer;
    private final Delivery delivery;
    private final Background background;
    private volatile long sinceNanos;
    private volatile Optional<Load> load = Optional.empty();

    Carrier(CoalescingWriter writer, Delivery delivery, Engine engine) {
        this.writer = writer;
        this.delivery = delivery;
        this.background = engine.background();
        this.sinceNanos = engine.now();
    }

    @Override
    public void run() {
        Optional<Load> before = Optional.empty();
        while (writer.handOver(this)) {
            Load carried = load.orElseThrow();
            try {
                delivery.deliver(carried);
            } finally {
                writer.land(carried, Load::returnTo).wake(background);
            }
            before.ifPresent(Load::wake);
            before = load;
        }
        before.ifPresent(Load::wake);
    }

    @Override
    public void takenBack() {
        writer.takenBack(this);
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
