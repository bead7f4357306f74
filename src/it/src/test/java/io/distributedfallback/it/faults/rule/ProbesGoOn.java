package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * While the breaker is open it is probed again and again: no lease is held longer than it lasts, whoever holds it. A probe
 * may be late by the lease of each instance that died, or stood still, with one in its hands. Not with a store that
 * was away: nobody could take a lease, and nobody was to.
 */
final class ProbesGoOn implements Rule {

    private static final long LEASE = 2_000_000_000L;

    /** The interval, and a probe's own time. */
    private static final long USUAL = 400_000_000L + 900_000_000L;

    private static final long BOUND = LEASE + USUAL + Records.FRESH_NANOS + Records.SLACK_NANOS;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        if (records.has(Effect.STORE_AWAY) || records.has(Effect.STATE_LOST)) {
            return broken;
        }
        List<Entry> history = records.historyOf("catalogue");
        for (int i = 0; i + 1 < history.size(); i++) {
            if (history.get(i).to().equals("OPEN")) {
                check(records, history.get(i).at(), history.get(i + 1).at(), broken);
            }
        }
        return broken;
    }

    private static void check(Records records, long opened, long closed, List<String> broken) {
        LongStream probes = records.requests().stream()
                .filter(Request::isProbe)
                .mapToLong(Request::arrived)
                .filter(at -> at > opened && at < closed);
        long[] moments = Stream.of(LongStream.of(opened), probes, LongStream.of(closed))
                .flatMapToLong(stream -> stream)
                .sorted()
                .toArray();
        for (int i = 1; i < moments.length; i++) {
            long from = moments[i - 1];
            long to = moments[i];
            if (to - from > BOUND + LEASE * struck(records, from, to) + records.allStalled(from, to)) {
                broken.add("no probe for " + (to - from) / 1_000_000 + " ms, from " + from + " to " + to);
            }
        }
    }

    /** How many more leases may have been left behind. */
    private static long struck(Records records, long from, long to) {
        long died = records.instances().stream()
                .filter(life -> life.endedNanos() >= from && life.endedNanos() <= to)
                .count();
        return Math.max(0, died - 1);
    }
}
