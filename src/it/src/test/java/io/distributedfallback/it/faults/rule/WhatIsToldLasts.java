package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Journals.Told;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import java.util.ArrayList;
import java.util.List;

/**
 * A change that an instance has told, because the database acknowledged it, is in the history: no loss of a server takes
 * it back. An instance without the database tells what it changes in its own memory, and that is not meant here.
 */
final class WhatIsToldLasts implements Rule {

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        if (records.has(Effect.STATE_LOST)) {
            return broken;
        }
        for (Life life : records.instances()) {
            var away = records.away(life);
            records.journals().of(life.instance()).told().stream()
                    .filter(told -> told.breaker().equals("catalogue"))
                    .filter(told -> away.stream().noneMatch(span -> span.has(told.at())))
                    .filter(told -> !isKept(told, records))
                    .forEach(told -> broken.add(told + " by " + life + " is not in the history"));
        }
        return broken;
    }

    private static boolean isKept(Told told, Records records) {
        return records.historyOf("catalogue").stream()
                .anyMatch(entry -> entry.to().equals(told.to())
                        && Math.abs(entry.at() - told.at()) < Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS);
    }
}
