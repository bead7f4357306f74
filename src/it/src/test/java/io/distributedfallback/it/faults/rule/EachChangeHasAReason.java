package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import java.util.ArrayList;
import java.util.List;

/**
 * An outage opens the breaker once, nothing else does, and it does not close before the outage is over. An outage that
 * nobody could write down is found out by instances on their own, and may be over before the database hears of it: what they
 * saw is handed over as soon as they reach it again.
 */
final class EachChangeHasAReason implements Rule {

    /** A probe that passed just before the provider went away is written that much later at most. */
    private static final long GRACE = Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS;

    /** Shorter ones may pass unseen. */
    private static final long NOTICED = 2_000_000_000L;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (var outage : records.outages()) {
            long openings = records.historyOf("catalogue").stream()
                    .filter(entry -> entry.to().equals("OPEN"))
                    .filter(entry -> entry.at() >= outage.from() && entry.at() <= outage.to() + GRACE)
                    .count();
            boolean mustOpen = outage.to() - outage.from() > NOTICED
                    && !records.has(Effect.STORE_AWAY)
                    && !records.has(Effect.STATE_LOST);
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
                                && (entry.at() <= outage.to() + GRACE || isHandedOver(records, outage, entry))))
                .forEach(entry -> broken.add(entry + " without an outage"));
        return broken;
    }

    private static boolean isHandedOver(Records records, Records.Outage outage, Records.Entry entry) {
        return records.instances().stream()
                .flatMap(life -> records.away(life).stream())
                .anyMatch(away -> away.meets(outage.from(), outage.to() + GRACE) && entry.at() - GRACE <= away.to());
    }
}
