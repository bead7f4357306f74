package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Records;
import java.util.ArrayList;
import java.util.List;

/** Each change starts from the state in which the one before it ended: none is missing, and none is there twice.
 * What the table of the breakers has lost may have been a state that the history knows. */
final class HistoryIsAChain implements Rule {

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        // A round begins and ends with all breakers closed.
        String state = "CLOSED";
        for (Records.Entry entry : records.historyOf("catalogue")) {
            if (!entry.from().equals(state) && !records.has(Effect.STATE_LOST)) {
                broken.add(entry + " follows upon " + state);
            }
            state = entry.to();
        }
        if (!state.equals("CLOSED") && !records.has(Effect.STATE_LOST)) {
            broken.add("the last change left the breaker " + state);
        }
        return broken;
    }
}
