package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Request;
import java.util.ArrayList;
import java.util.List;

/** A breaker closes by three probes in a row that the provider has answered well, and never by a visitor's success. */
final class OnlyProbesClose implements Rule {

    private static final int PASSES = 3;
    private static final int OK = 200;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        long opened = Long.MIN_VALUE;
        for (Records.Entry entry : records.historyOf("catalogue")) {
            if (entry.to().equals("OPEN")) {
                opened = entry.at();
                continue;
            }
            long since = opened;
            long passed = records.requests().stream()
                    .filter(Request::isProbe)
                    .filter(probe -> probe.status() == OK)
                    // The provider writes down its answer after it has sent it.
                    .filter(probe -> probe.arrived() >= since && probe.arrived() <= entry.at())
                    .count();
            if (!entry.cause().equals("PROBES") || entry.probesPassed() < PASSES || passed < PASSES) {
                broken.add(entry + " after " + passed + " probes that the provider answered well");
            }
        }
        return broken;
    }
}
