package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import java.util.List;

/**
 * No call fails because of the store, and none waits for it longer than the time-outs of a read and of a write: there is a
 * fallback, and it always answers.
 */
final class NoCallFailsOrWaits implements Rule {

    private static final long BOUND = 2 * Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS;

    @Override
    public List<String> broken(Records records) {
        return records.journals()
                .calls()
                .filter(call -> call.outcome().equals("broken") || records.waited(call) > BOUND)
                .map(call -> call + " waited " + records.waited(call) / 1_000_000 + " ms for the store")
                .toList();
    }
}
