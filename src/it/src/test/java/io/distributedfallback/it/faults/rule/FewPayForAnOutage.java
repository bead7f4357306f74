package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Request;
import java.util.ArrayList;
import java.util.List;

/**
 * Of the visitors of an instance only so many meet with the outage as the threshold says, and those who are at the provider
 * at the same moment; whether there is a database or not. Once more when the database goes or comes: the instance then
 * changes from one memory to another.
 */
final class FewPayForAnOutage implements Rule {

    private static final int THRESHOLD = 3;

    /** As many visitors as an instance has. */
    private static final int AT_ONCE = 5;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (Outage outage : records.outages()) {
            for (Life life : records.instances()) {
                long paid = records.requests().stream()
                        .filter(request -> request.instance().equals(life.instance()))
                        .filter(request -> request.service().equals("catalogue"))
                        .filter(request -> request.purpose().equals("visitor"))
                        .filter(request -> isPaid(request, outage))
                        .count();
                long upheavals = records.upheavals(life, outage.from() - Records.SLACK_NANOS, outage.to());
                if (paid > (1 + upheavals) * (THRESHOLD + AT_ONCE)) {
                    broken.add(paid + " visitors of " + life + " paid for " + outage + " with " + upheavals
                            + " upheavals of the store");
                }
            }
        }
        return broken;
    }

    private static boolean isPaid(Request request, Outage outage) {
        return request.arrived() >= outage.from() && request.arrived() <= outage.to();
    }
}
