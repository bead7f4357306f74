package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.FailureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How the failures of one guarded method are judged. The first that speaks decides:
 *
 * <ol>
 *   <li>{@code skipOn}: an instance of one of these is the caller's error.
 *   <li>{@code failOn}: what is an instance of none of these is the caller's error. Both are held against what was
 *       thrown and against what is left of it without wrappers.
 *   <li>The application's classifiers, in their order. One that throws, or answers null, has no opinion; the listener
 *       is told.
 *   <li>The built-in classifier, which always has an opinion.
 * </ol>
 *
 * <p>An {@link Error} is not judged here: whoever calls asks {@link Causes#carriesError} first. Thread-safe if the
 * classifiers are.
 */
public final class FailureRules {

    private static final FailureClassifier BUILT_IN = new BuiltInClassifier();

    private final String breaker;
    private final List<Class<? extends Throwable>> failOn;
    private final List<Class<? extends Throwable>> skipOn;
    private final List<FailureClassifier> classifiers;
    private final BreakerListener listener;

    /**
     * The rules of a guarded method.
     *
     * @param breaker the breaker's name, for the listener
     * @param failOn the exceptions that may count; {@code Throwable} for all
     * @param skipOn the exceptions that are the caller's error
     * @param classifiers the application's, in the order in which they are asked
     * @param listener is told of a classifier that throws
     */
    public FailureRules(
            String breaker,
            List<Class<? extends Throwable>> failOn,
            List<Class<? extends Throwable>> skipOn,
            List<FailureClassifier> classifiers,
            BreakerListener listener) {
        this.breaker = Objects.requireNonNull(breaker, "breaker");
        this.failOn = List.copyOf(failOn);
        this.skipOn = List.copyOf(skipOn);
        this.classifiers = List.copyOf(classifiers);
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /** Rules with neither {@code failOn} nor {@code skipOn}, as for a probe or a call by {@code Breaker}. */
    static FailureRules forAll(String breaker, List<FailureClassifier> classifiers, BreakerListener listener) {
        return new FailureRules(breaker, List.of(Throwable.class), List.of(), classifiers, listener);
    }

    /** What a failure says about the provider. */
    public Classification classify(Throwable thrown) {
        Throwable inner = Causes.unwrap(thrown);
        if (isOneOf(skipOn, thrown, inner) || !isOneOf(failOn, thrown, inner)) {
            return Classification.of(FailureKind.CALLER_ERROR);
        }
        List<Throwable> troubles = new ArrayList<>(0);
        Classification classification = ask(inner, troubles);
        troubles.forEach(trouble -> listener.classifierFailed(breaker, classification.kind(), trouble));
        return classification;
    }

    private Classification ask(Throwable failure, List<Throwable> troubles) {
        for (FailureClassifier classifier : classifiers) {
            try {
                Optional<Classification> opinion = Objects.requireNonNull(
                        classifier.classify(failure),
                        () -> classifier.getClass().getName() + " answered null");
                if (opinion.isPresent()) {
                    return opinion.get();
                }
            } catch (RuntimeException | Error e) {
                // Its own, such as a class that is missing: what it was asked about is no error.
                troubles.add(e);
            }
        }
        return BUILT_IN.classify(failure).orElseThrow();
    }

    private static boolean isOneOf(List<Class<? extends Throwable>> types, Throwable thrown, Throwable inner) {
        for (Class<? extends Throwable> type : types) {
            if (type.isInstance(thrown) || type.isInstance(inner)) {
                return true;
            }
        }
        return false;
    }
}
