package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Round.Plan;
import org.junit.jupiter.params.provider.Arguments;

import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What the provider does while a fault is there: the arguments of a round. */
final class Meanwhile {

    private Meanwhile() {}

    static Arguments fails(Fault fault) {
        return arguments(fault, "the provider fails meanwhile", Plan.OUTAGE_DURING_FAULT);
    }

    static Arguments failsOn(Fault fault) {
        return arguments(fault, "the provider fails for longer", Plan.OUTAGE_OUTLASTS_FAULT);
    }

    static Arguments recovers(Fault fault) {
        return arguments(fault, "the provider recovers meanwhile", Plan.RECOVERY_DURING_FAULT);
    }
}
