package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.FailureKind;
import io.distributedfallback.core.KnownFailures.Clue;
import java.util.Optional;

/**
 * What the product itself knows of failures. Always has an opinion. Stateless and thread-safe.
 *
 * <ol>
 *   <li>The class of the failure, or the nearest superclass that {@link KnownFailures} has, is a clue.
 *   <li>Most clues are a kind. Some ask to look further: at the status of an answer over HTTP or gRPC, at an SQL
 *       state, or at the cause, because the class says only that a call went wrong.
 *   <li>A class that is not known is an outage, unless an interruption or a cancellation lies beneath it: many clients
 *       wrap it in an exception of their own, and it is our end of the call all the same.
 * </ol>
 */
final class BuiltInClassifier implements FailureClassifier {

    private static final NamedMethod SQL_STATE = new NamedMethod("java.sql.SQLException", "getSQLState");

    @Override
    public Optional<Classification> classify(Throwable failure) {
        return Optional.of(read(failure));
    }

    private static Classification read(Throwable failure) {
        FailureKind otherwise = FailureKind.OUTAGE;
        Throwable seen = failure;
        for (int depth = 0; seen != null && depth < Causes.DEEPEST; depth++) {
            Clue clue = KnownFailures.clue(seen);
            if (clue == Clue.UNREADABLE_ANSWER) {
                otherwise = FailureKind.LOCAL;
            } else if (clue == Clue.MAYBE_BAD_ADDRESS && BadAddress.isTheReasonFor(seen)) {
                return Classification.of(FailureKind.LOCAL);
            } else if (clue != Clue.LOOK_AT_CAUSE && clue != Clue.MAYBE_BAD_ADDRESS) {
                return follow(clue, seen, otherwise);
            }
            seen = seen.getCause();
        }
        return Classification.of(otherwise);
    }

    private static Classification follow(Clue clue, Throwable failure, FailureKind otherwise) {
        return switch (clue) {
            case OUTAGE -> Classification.of(FailureKind.OUTAGE);
            case LOCAL -> Classification.of(FailureKind.LOCAL);
            case CANCELLED -> Classification.of(FailureKind.CANCELLED);
            case CALLER_ERROR -> Classification.of(FailureKind.CALLER_ERROR);
            case MISCONFIGURED -> Classification.of(FailureKind.MISCONFIGURED);
            case HTTP_ANSWER ->
                HttpAnswer.in(failure)
                        .map(HttpAnswer::classification)
                        .orElseGet(() -> Classification.of(FailureKind.OUTAGE));
            case GRPC_ANSWER ->
                GrpcAnswer.in(failure)
                        .map(GrpcAnswer::classification)
                        .orElseGet(() -> Classification.of(FailureKind.OUTAGE));
            case SQL_STATE -> Classification.of(ofSqlState(failure));
            case UNKNOWN, UNREADABLE_ANSWER, LOOK_AT_CAUSE, MAYBE_BAD_ADDRESS ->
                Classification.of(isCancelledBeneath(failure) ? FailureKind.CANCELLED : otherwise);
        };
    }

    /** The first two characters are the class of the condition (ISO/IEC 9075, PostgreSQL appendix A). */
    private static FailureKind ofSqlState(Throwable failure) {
        String state = SQL_STATE.call(failure).map(String.class::cast).orElse("");
        if (state.startsWith("22") || state.startsWith("23")) {
            return FailureKind.CALLER_ERROR;
        }
        if (state.startsWith("28") || state.equals("42501")) {
            return FailureKind.MISCONFIGURED;
        }
        return state.startsWith("42") ? FailureKind.LOCAL : FailureKind.OUTAGE;
    }

    private static boolean isCancelledBeneath(Throwable failure) {
        Throwable cause = failure.getCause();
        for (int depth = 0; cause != null && depth < Causes.DEEPEST; depth++) {
            if (KnownFailures.clue(cause) == Clue.CANCELLED) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
