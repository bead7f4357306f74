package io.distributedfallback.it.ladder.app;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.FailureKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/** A miss says nothing against Redis, and somebody else has to answer: neither failure nor success, with a fallback. */
@ApplicationScoped
public class MissIsNoFailure implements FailureClassifier {

    @Override
    public Optional<Classification> classify(Throwable failure) {
        return failure instanceof NotCached ? Optional.of(Classification.of(FailureKind.LOCAL)) : Optional.empty();
    }
}
