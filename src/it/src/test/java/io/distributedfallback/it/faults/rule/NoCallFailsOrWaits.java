package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Journals.Call;
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
                .filter(call -> call.outcome().equals("broken") || waited(call, records) > BOUND)
                .map(call -> call + " waited " + waited(call, records) / 1_000_000 + " ms for the store")
                .toList();
    }

    private static long waited(Call call, Records records) {
        return call.ended()
                - call.began()
                - call.primaryNanos()
                - records.stalled(call.instance(), call.began(), call.ended());
    }
}
