package io.distributedfallback.config;

import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import java.util.List;
import java.util.Map;

/**
 * What a check found.
 *
 * @param errors what must fail the deployment, each once
 * @param warnings what is only worth a line in the log
 * @param policies the policies that were read, by the names of their breakers; right only if there are no errors
 */
public record Findings(List<Problem> errors, List<Problem> warnings, Map<String, Policy> policies) {
    public Findings {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
        policies = Map.copyOf(policies);
    }
}
