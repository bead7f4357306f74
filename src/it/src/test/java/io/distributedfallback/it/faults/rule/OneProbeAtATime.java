package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Never two probes at once: one lease in the cluster. Except from an instance that stood still for so long that its lease
 * ran out, and from one without the database, which probes for itself.
 */
final class OneProbeAtATime implements Rule {

    private static final long LEASE_LEFT = 900_000_000L;

    @Override
    public List<String> broken(Records records) {
        List<Request> probes = records.requests().stream()
                .filter(Request::isProbe)
                .filter(probe -> !isExcused(probe, records))
                .sorted(Comparator.comparingLong(Request::arrived))
                .toList();
        List<String> broken = new ArrayList<>();
        Request longest = null;
        for (Request probe : probes) {
            if (longest != null && probe.arrived() < longest.ended()) {
                broken.add(probe + " began during " + longest);
            }
            if (longest == null || probe.ended() > longest.ended()) {
                longest = probe;
            }
        }
        return broken;
    }

    private static boolean isExcused(Request probe, Records records) {
        boolean stood = records.stalled(probe.instance(), probe.began() - LEASE_LEFT, probe.ended()) > LEASE_LEFT;
        return stood
                || records.instances().stream()
                        .filter(life -> life.instance().equals(probe.instance()))
                        .flatMap(life -> records.away(life).stream())
                        .anyMatch(away -> away.meets(probe.began(), probe.ended()));
    }
}
