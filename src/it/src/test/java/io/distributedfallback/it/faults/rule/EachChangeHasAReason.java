package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * An outage opens the breaker once, nothing else does, and it does not close before the outage is over. An outage that
 * nobody could write down is found out by instances on their own, and may be over before the database hears of it: what they
 * saw is handed over as soon as they reach it again, and opens the breaker then if the outage goes on. To a machine that has too much to do the provider is away as well: calls
 * that waited for it for as long as they may have failed.
 */
final class EachChangeHasAReason implements Rule {

    /** A probe that passed just before the provider went away is written that much later at most. */
    private static final long GRACE = Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS;

    /** Shorter ones may pass unseen, and so may those while which nobody ran. */
    private static final long NOTICED = 2_000_000_000L;

    /** Evidence is handed over until it is that old. */
    private static final long HANDED_OVER = 30_000_000_000L;

    private static final int THRESHOLD = 3;

    /** The shorter of two waits: to get to the provider. They wait for its answer for 100 ms more. */
    private static final long PATIENCE = 500_000_000L;

    /** Failures in a row are not far apart. */
    private static final long RECENT = 5_000_000_000L;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (var outage : records.outages()) {
            long openings = records.historyOf("catalogue").stream()
                    .filter(entry -> entry.to().equals("OPEN"))
                    .filter(entry -> entry.at() >= outage.from() && entry.at() <= outage.to() + GRACE)
                    .count();
            boolean mustOpen = shared(records, outage) > NOTICED && !records.has(Effect.STATE_LOST);
            boolean mayOpenAgain = records.has(Effect.STATE_LOST);
            if ((openings > 1 && !mayOpenAgain) || (openings < 1 && mustOpen)) {
                broken.add(outage + " has opened the breaker " + openings + " times");
            }
            records.historyOf("catalogue").stream()
                    .filter(entry -> entry.to().equals("CLOSED"))
                    .filter(entry -> entry.at() >= outage.from() + GRACE && entry.at() <= outage.to())
                    .forEach(entry -> broken.add(entry + " while the provider was away"));
        }
        records.historyOf("catalogue").stream()
                .filter(entry -> entry.to().equals("OPEN"))
                .filter(entry -> records.outages().stream()
                        .noneMatch(outage -> entry.at() >= outage.from()
                                && entry.at() <= outage.to() + GRACE + HANDED_OVER
                                && (entry.at() <= outage.to() + GRACE || isHandedOver(records, outage, entry))))
                .filter(entry -> timedOut(records, entry.at()) < THRESHOLD)
                .forEach(entry -> broken.add(entry + " without an outage"));
        return broken;
    }

    /** How long it was there for a cluster that ran and had the database: what was seen before is handed over. */
    private static long shared(Records records, Outage outage) {
        long from = outage.from();
        if (records.has(Effect.STORE_AWAY)) {
            from = records.instances().stream()
                    .filter(life -> life.endedNanos() == 0 || life.endedNanos() > outage.to())
                    .flatMap(life -> records.away(life).stream())
                    .filter(away -> away.meets(outage.from(), outage.to()))
                    .mapToLong(Span::to)
                    .reduce(from, Math::max);
        }
        return from < outage.to() ? outage.to() - from - records.allStalled(from, outage.to()) : 0;
    }

    /** A provider that is away makes callers wait itself, so those are left out that came or left meanwhile. */
    private static long timedOut(Records records, long opened) {
        return records.journals()
                .calls()
                .filter(call ->
                        call.breaker().equals("catalogue") && call.outcome().equals("fallback"))
                .filter(call -> call.primaryNanos() >= PATIENCE)
                .filter(call -> call.ended() >= opened - RECENT && call.began() <= opened)
                .filter(call -> records.outages().stream()
                        .map(outage -> new Span(outage.from(), outage.to()))
                        .noneMatch(outage -> outage.has(call.began()) || outage.has(call.ended())))
                .count();
    }

    /** What a breaker has closed upon since is not handed over any more. */
    private static boolean isHandedOver(Records records, Outage outage, Records.Entry entry) {
        boolean hasClosedSince = records.historyOf("catalogue").stream()
                .anyMatch(closing ->
                        closing.to().equals("CLOSED") && closing.at() > outage.to() && closing.at() < entry.at());
        return !hasClosedSince
                && records.instances().stream()
                        .flatMap(life -> records.away(life).stream())
                        .anyMatch(away ->
                                away.meets(outage.from(), outage.to() + GRACE) && entry.at() - GRACE <= away.to());
    }
}
