package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * How many calls of one breaker went to the fallback. It is looked at a few times in each window while there are any, from
 * the first one on, and not at all while there are none.
 *
 * <p>Counting is thread-safe; all else is not.
 */
final class ShareWatch implements CallMeter {

    private static final int LOOKS_IN_A_WINDOW = 5;

    private final String breaker;
    private final AlertRules rules;
    private final AlertTeller teller;
    private final Consumer<ShareWatch> begins;
    private final LongAdder returned = new LongAdder();
    private final LongAdder threw = new LongAdder();
    private final LongAdder fallbacks = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final AtomicBoolean watching = new AtomicBoolean();

    private final Deque<Sample> samples = new ArrayDeque<>();
    private boolean raised;

    /** @param begins is told, by the thread of a call, that from now on there is something to look at */
    ShareWatch(String breaker, AlertRules rules, AlertTeller teller, Consumer<ShareWatch> begins) {
        this.breaker = breaker;
        this.rules = rules;
        this.teller = teller;
        this.begins = begins;
    }

    @Override
    public void count(CallOutcome outcome) {
        switch (outcome) {
            case PRIMARY_RETURNED -> returned.increment();
            case PRIMARY_THREW -> threw.increment();
            case REJECTED -> rejected.increment();
            case FALLBACK_RETURNED, FALLBACK_THREW -> {
                fallbacks.increment();
                if (rules.fallbackShare().isPresent() && !watching.get() && watching.compareAndSet(false, true)) {
                    begins.accept(this);
                }
            }
        }
    }

    /** How often a way to an answer was taken, ever. */
    long ways() {
        return sample(0).ways();
    }

    /** The first fallback after a time without any. */
    void begin(long now) {
        samples.clear();
        samples.add(sample(now));
    }

    void look(long now) {
        if (samples.isEmpty() || now - samples.getLast().nanos < nanosBetweenLooks()) {
            return;
        }
        samples.addLast(sample(now));
        while (samples.size() > 2 && now - second().nanos >= rules.window().toNanos()) {
            samples.removeFirst();
        }
        Sample window = samples.getLast().since(samples.getFirst());
        judge(window);
        if (!raised && window.fallbacks == 0) {
            samples.clear();
            watching.set(false);
        }
    }

    private Sample second() {
        return samples.stream().skip(1).findFirst().orElseThrow();
    }

    private void judge(Sample window) {
        long calls = window.calls();
        boolean isMuch = calls >= rules.minimumCalls()
                && window.fallbacks > calls * rules.fallbackShare().orElseThrow();
        if (isMuch != raised) {
            raised = isMuch;
            String share = window.fallbacks + " of " + calls + " calls of breaker " + breaker + " in "
                    + AlertTeller.text(rules.window()) + " went to the fallback";
            if (raised) {
                teller.begins(breaker, Kind.FALLBACK_SHARE, share);
            } else {
                teller.isOver(breaker, Kind.FALLBACK_SHARE, "Only " + share);
            }
        }
    }

    private long nanosBetweenLooks() {
        return rules.window().toNanos() / LOOKS_IN_A_WINDOW;
    }

    /** In how many nanoseconds to look again; empty if there is nothing to look at. */
    OptionalLong nextLook(long now) {
        return samples.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(samples.getLast().nanos + nanosBetweenLooks() - now);
    }

    private Sample sample(long now) {
        return new Sample(now, returned.sum(), threw.sum(), fallbacks.sum(), rejected.sum());
    }

    /** The counts at one moment, or between two. */
    private record Sample(long nanos, long returned, long threw, long fallbacks, long rejected) {

        Sample since(Sample before) {
            return new Sample(
                    nanos,
                    returned - before.returned,
                    threw - before.threw,
                    fallbacks - before.fallbacks,
                    rejected - before.rejected);
        }

        /**
         * How often the application called. A call that fails on the primary and is answered by the fallback took two
         * ways, so this is the greater of: those that went to the primary; those that it answered and those that went to
         * the fallback. To that come those that were rejected.
         */
        long calls() {
            return Math.max(returned + threw, returned + fallbacks) + rejected;
        }

        long ways() {
            return returned + threw + fallbacks + rejected;
        }
    }
}
