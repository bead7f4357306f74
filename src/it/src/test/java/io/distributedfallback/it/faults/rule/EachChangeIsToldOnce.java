package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A change is told on one instance of the cluster: that whose write made it. An instance that dies may not get to it, and
 * one without the database tells what it changes itself.
 */
final class EachChangeIsToldOnce implements Rule {

    private static final Set<Effect> NOT_WITH = Set.of(Effect.STORE_AWAY, Effect.STATE_LOST, Effect.WRITE_IN_DOUBT);

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        if (NOT_WITH.stream().anyMatch(records::has)) {
            return broken;
        }
        boolean mayGoUntold = records.has(Effect.INSTANCE_DIES)
                || records.instances().stream()
                        .anyMatch(life -> isAlone(records, life, records.from(), Long.MAX_VALUE));
        for (String to : List.of("OPEN", "CLOSED")) {
            long made = records.historyOf("catalogue").stream()
                    .filter(entry -> entry.to().equals(to))
                    .count();
            long told = records.instances().stream()
                    .mapToLong(life -> told(records, life, to))
                    .sum();
            if (told > made || (told < made && !mayGoUntold)) {
                broken.add(made + " changes to " + to + " were told " + told + " times");
            }
        }
        return broken;
    }

    /** How often the instance told it and had the database. */
    private static long told(Records records, Life life, String to) {
        return records.journals().of(life.instance()).told().stream()
                .filter(change ->
                        change.breaker().equals("catalogue") && change.to().equals(to))
                .filter(change -> !isAlone(records, life, change.at(), change.at()))
                .count();
    }

    private static boolean isAlone(Records records, Life life, long from, long to) {
        return records.away(life).stream().anyMatch(away -> away.meets(from, to));
    }
}
