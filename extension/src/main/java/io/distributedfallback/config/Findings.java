package io.distributedfallback.config;

import io.distributedfallback.core.Problem;
import java.util.List;

/**
 * What a check found.
 *
 * @param errors what must fail the deployment, each once
 * @param warnings what is only worth a line in the log
 */
public record Findings(List<Problem> errors, List<Problem> warnings) {
    public Findings {
        errors = List.copyOf(errors);
        warnings = List.copyOf(warnings);
    }
}
