package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A change is told on one instance of the cluster: that whose write made it. An instance that dies may
 * not get to it, and one without the database tells what it changes itself. */
final class EachChangeIsToldOnce implements Rule {

    private static final Set<Effect> NOT_WITH = Set.of(Effect.STORE_AWAY, Effect.STATE_LOST, Effect.WRITE_IN_DOUBT);

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        boolean isAlone = records.instances().stream()
                .flatMap(life -> records.away(life).stream())
                .anyMatch(away -> away.meets(records.from(), Long.MAX_VALUE));
        if (NOT_WITH.stream().anyMatch(records::has) || isAlone) {
            return broken;
        }
        for (String to : List.of("OPEN", "CLOSED")) {
            long made = records.historyOf("catalogue").stream()
                    .filter(entry -> entry.to().equals(to))
                    .count();
            long told = records.journals()
                    .told()
                    .filter(change ->
                            change.breaker().equals("catalogue") && change.to().equals(to))
                    .count();
            if (told > made || (told < made && !records.has(Effect.INSTANCE_DIES))) {
                broken.add(made + " changes to " + to + " were told " + told + " times");
            }
        }
        return broken;
    }
}
