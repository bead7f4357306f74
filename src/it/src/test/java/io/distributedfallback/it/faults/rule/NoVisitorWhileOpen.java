package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * No visitor's call reaches the provider while the breaker is open, once the instance has had the time to hear of it: its
 * copy is read again after {@link Records#FRESH_NANOS}. An instance without the database hears of nothing.
 */
final class NoVisitorWhileOpen implements Rule {

    private static final long STALENESS = Records.FRESH_NANOS + Records.SLACK_NANOS;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        List<Entry> history = records.historyOf("catalogue");
        for (int i = 0; i < history.size(); i++) {
            Entry opening = history.get(i);
            if (opening.to().equals("OPEN")) {
                long next = i + 1 < history.size() ? history.get(i + 1).at() : Long.MAX_VALUE;
                long until = Math.min(next, lossOfState(records, opening));
                records.instances().forEach(life -> check(records, life, opening, until, broken));
            }
        }
        return broken;
    }

    /** Whoever drops the table closes all breakers. */
    private static long lossOfState(Records records, Entry opening) {
        return records.strikes().stream()
                .filter(strike -> strike.effects().contains(Effect.STATE_LOST) && strike.to() >= opening.at())
                .mapToLong(Records.Strike::from)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private static void check(Records records, Life life, Entry opening, long until, List<String> broken) {
        var away = records.away(life);
        records.requests().stream()
                .filter(request -> request.service().equals("catalogue") && !request.isProbe())
                .filter(request -> request.instance().equals(life.instance()))
                .filter(request -> request.began() < until
                        && request.began() > opening.at() + STALENESS
                        && away.stream().noneMatch(span -> span.has(request.began())))
                .filter(request -> request.began() - opening.at() - STALENESS
                        > records.stalled(life.instance(), opening.at(), request.began()))
                .map(Request::toString)
                .forEach(text -> broken.add(text + " while open by " + opening));
    }
}
