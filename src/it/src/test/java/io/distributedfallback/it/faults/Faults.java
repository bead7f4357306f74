package io.distributedfallback.it.faults;

import java.util.List;
import java.util.stream.Stream;

/** All faults that a cluster with one PostgreSQL can meet with in any order. */
final class Faults {

    private Faults() {}

    static List<Fault> all() {
        return Stream.of(
                        InstanceFaults.all(),
                        StandstillFaults.all(),
                        ClockFaults.all(),
                        RestartFaults.all(),
                        RollingFaults.all(),
                        DatabaseFaults.all(),
                        TableFaults.all(),
                        NetworkFaults.all(),
                        StepFaults.all())
                .flatMap(List::stream)
                .toList();
    }
}
