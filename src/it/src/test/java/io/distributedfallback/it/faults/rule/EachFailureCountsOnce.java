package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Ledger;
import java.util.List;

/**
 * Each failure is counted, and none twice. With an instance die the failures whose callers had no answer yet: they may be
 * counted or not. Where nobody can find out whether a write lasts it is not repeated.
 */
final class EachFailureCountsOnce implements Rule {

    @Override
    public List<String> broken(Records records) {
        Ledger ledger = records.ledger();
        if (records.has(Effect.STATE_LOST)) {
            return List.of();
        }
        boolean isLost = ledger.counted() < ledger.recorded() && !records.has(Effect.WRITE_IN_DOUBT);
        boolean isTwice = ledger.counted() > ledger.asked();
        return isLost || isTwice ? List.of("the ledger has " + ledger) : List.of();
    }
}
