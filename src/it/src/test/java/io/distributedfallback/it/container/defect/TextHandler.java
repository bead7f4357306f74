package io.distributedfallback.it.container.defect;

import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** Answers with a text. */
@ApplicationScoped
public class TextHandler implements FallbackHandler<String> {

    @Override
    public String handle(ExecutionContext context) {
        return "fallback";
    }
}
