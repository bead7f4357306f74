package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerAlert.Kind;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;

/**
 * Notices what somebody may have to look at, from what the engine tells, and tells it once when it begins and once when it is
 * over.
 *
 * <ol>
 *   <li>What begins or ends with something that happens is told then.
 *   <li>What follows from time alone has a moment at which it must be looked at. One timer is set for the first of these;
 *       where there is nothing to wait for there is none.
 *   <li>A breaker of which there is nothing left to tell is forgotten.
 * </ol>
 *
 * Thread-safe. Nothing is asked of the store.
 */
public final class Alerts implements BreakerListener, Instruments {

    private final AlertRules rules;
    private final Background background;
    private final MonotonicClock clock;
    private final AlertTeller teller;

    /** Guarded by this, with all that is in it; so is the timer. */
    private final Map<String, BreakerWatch> breakers = new HashMap<>();

    /** By the names of breakers without keys; for as long as the application runs, as these are. */
    private final Map<String, ShareWatch> shares = new ConcurrentHashMap<>();

    private Bell bell;
    private boolean storeLost;

    /** An answer to a question that was asked before is no news. */
    private long newsSinceNanos;

    public Alerts(AlertRules rules, Background background, MonotonicClock clock, AlertTeller teller) {
        this.rules = rules;
        this.background = background;
        this.clock = clock;
        this.teller = teller;
        this.newsSinceNanos = clock.nanos();
    }

    @Override
    public synchronized void transitioned(BreakerTransition transition) {
        String breaker = transition.breaker();
        boolean opened = transition.to() == BreakerState.OPEN;
        long now = clock.nanos();
        teller.audience()
                .accept(new BreakerAlert(
                        breaker,
                        Kind.OPENED,
                        opened,
                        opened
                                ? "Breaker " + breaker + " opened, cause " + transition.cause()
                                        + "; calls go to the fallback until the provider has passed its probes"
                                : "Breaker " + breaker + " closed, cause " + transition.cause()
                                        + "; calls go to the provider again",
                        transition.instance(),
                        transition.at()));
        if (opened) {
            watch(breaker).open(transition.at(), now);
        } else if (breakers.containsKey(breaker)) {
            breakers.get(breaker).close(now);
        }
        plan(now);
    }

    @Override
    public synchronized void storeRead(Collection<BreakerRow> open, long askedNanos) {
        if (askedNanos - newsSinceNanos < 0) {
            return;
        }
        newsSinceNanos = askedNanos;
        if (open.isEmpty() && breakers.isEmpty()) {
            return;
        }
        long now = clock.nanos();
        Set<String> names = new HashSet<>();
        for (BreakerRow row : open) {
            names.add(row.name());
            BreakerWatch watch = watch(row.name());
            if (watch.mayLearnFrom(askedNanos)) {
                watch.open(row.standing().openedAt().orElse(Instant.EPOCH), now);
            }
        }
        for (BreakerWatch watch : breakers.values()) {
            if (!names.contains(watch.breaker()) && watch.mayLearnFrom(askedNanos)) {
                watch.close(now);
            }
        }
        plan(now);
    }

    @Override
    public synchronized void misconfigured(String breaker, String failure) {
        long now = clock.nanos();
        // In a storm of refusals only the first one sets the timer; the later ones put off what it finds.
        if (watch(breaker).refused(failure, now) || bell == null) {
            plan(now);
        }
    }

    @Override
    public synchronized void storeLost(StoreException reason) {
        if (!storeLost) {
            storeLost = true;
            teller.begins(
                    "",
                    Kind.STORE_UNREACHABLE,
                    "This instance keeps its breakers in memory until the store is back. "
                            + FailureText.clean(reason.getMessage()));
        }
    }

    @Override
    public synchronized void storeBack(Duration away, int failures) {
        if (storeLost) {
            storeLost = false;
            teller.isOver("", Kind.STORE_UNREACHABLE, "The store answers again, and its word counts");
        }
    }

    /** Counts the calls of a breaker, with those of its keys. */
    @Override
    public Optional<CallMeter> meter(String breaker) {
        return Optional.of(shareOf(breaker));
    }

    private ShareWatch shareOf(String breaker) {
        return shares.computeIfAbsent(breaker, name -> new ShareWatch(name, rules, teller, this::beginShare));
    }

    private synchronized void beginShare(ShareWatch share) {
        long now = clock.nanos();
        share.begin(now);
        plan(now);
    }

    private BreakerWatch watch(String breaker) {
        return breakers.computeIfAbsent(
                breaker, name -> new BreakerWatch(name, rules, teller, shareOf(KeyedName.baseOf(name))::ways));
    }

    /** Sets the timer for what has to be looked at first. */
    private void plan(long now) {
        breakers.values().removeIf(watch -> watch.isIdle(now));
        LongStream.concat(
                        breakers.values().stream().flatMapToLong(watch -> watch.nextLook(now).stream()),
                        shares.values().stream().flatMapToLong(share -> share.nextLook(now).stream()))
                .map(wait -> Math.max(0, wait))
                .min()
                .ifPresentOrElse(wait -> ringIn(wait, now), this::silence);
    }

    private void ringIn(long wait, long now) {
        if (bell != null && bell.atNanos - now <= wait) {
            return;
        }
        silence();
        Bell next = new Bell(now + wait);
        try {
            bell = next;
            next.task = background.schedule(Duration.ofNanos(wait), next);
        } catch (RejectedExecutionException e) {
            // The application stops, or the next thing that happens sets the timer again.
            bell = null;
        }
    }

    private void silence() {
        if (bell != null) {
            bell.task.cancel();
            bell = null;
        }
    }

    private synchronized void ring(Bell rung) {
        if (bell != rung) {
            return;
        }
        bell = null;
        long now = clock.nanos();
        breakers.values().forEach(watch -> watch.look(now));
        shares.values().forEach(share -> share.look(now));
        plan(now);
    }

    /** How many breakers there is something to tell of. */
    synchronized int watched() {
        return breakers.size();
    }

    /** A timer that is set. */
    private final class Bell implements Runnable {

        private final long atNanos;
        private Background.Task task = () -> {};

        Bell(long atNanos) {
            this.atNanos = atNanos;
        }

        @Override
        public void run() {
            ring(this);
        }
    }
}
