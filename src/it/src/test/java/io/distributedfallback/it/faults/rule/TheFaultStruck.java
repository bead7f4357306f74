package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Trace;
import java.util.List;

/**
 * A round proves something only if the fault was there: somebody missed the store, died, or stood still. Except with the few
 * that say that they may pass unnoticed.
 */
final class TheFaultStruck implements Rule {

    @Override
    public List<String> broken(Records records) {
        return records.strikes().stream()
                .filter(strike -> !strike.effects().contains(Effect.MAY_PASS_UNNOTICED))
                .flatMap(strike -> new Trace(records, strike)
                        .missing().stream().map(effect -> strike + " has left no trace of " + effect))
                .toList();
    }
}
