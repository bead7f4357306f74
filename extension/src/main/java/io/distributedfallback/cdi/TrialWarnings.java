package io.distributedfallback.cdi;

import io.distributedfallback.Health;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Tells of breakers without a probe: a visitor's call is the test of a provider that may still be down. */
final class TrialWarnings {

    private TrialWarnings() {}

    static List<Problem> of(Collection<String> breakers, Map<String, Policy> policies) {
        List<Problem> warnings = new ArrayList<>();
        for (String breaker : breakers) {
            Policy policy = policies.get(breaker);
            if (policy.recovery() != Recovery.TRIAL) {
                continue;
            }
            if (policy.health() == Health.DOWN_WHEN_OPEN) {
                warnings.add(new Problem(
                        ProblemCode.DFB208,
                        "breaker " + breaker,
                        "health = DOWN_WHEN_OPEN, recovery = TRIAL",
                        "An instance that is not ready gets no calls, and without calls there is no trial. Declare a probe, or"
                                + " leave health at up"));
            }
            warnings.add(new Problem(
                    ProblemCode.DFB403,
                    "breaker " + breaker,
                    "recovery = TRIAL",
                    "Declare a @Probe(\"" + breaker + "\") method or distributed-fallback.breaker." + breaker
                            + ".probe-url, so that no visitor's call is the test"));
        }
        return warnings;
    }
}
