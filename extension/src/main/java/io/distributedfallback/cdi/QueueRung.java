package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Degraded;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Origin;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.queue.CallQueue;
import jakarta.interceptor.InvocationContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Stores a call that did not get to the primary, or failed there, and answers that all is well. A stored call that is made is
 * not stored again: how it went is told to whoever makes it.
 */
final class QueueRung implements Rung {

    private static final int LONGEST_KEY = 200;
    private static final int MOST_SUPPRESSED = 64;

    private final CallQueue queue;
    private final JsonArguments json;
    private final List<Integer> keys;
    private final int maxBytes;
    private final boolean answersByStage;

    /**
     * @param keys the positions of the parameters that keep calls in order
     * @param maxBytes the longest arguments, as JSON in UTF-8
     */
    QueueRung(CallQueue queue, JsonArguments json, List<Integer> keys, int maxBytes, boolean answersByStage) {
        this.queue = queue;
        this.json = json;
        this.keys = keys;
        this.maxBytes = maxBytes;
        this.answersByStage = answersByStage;
    }

    @Override
    public BoundPrimary over(BoundPrimary primary) {
        return call -> {
            if (Replays.isMaking()) {
                Replays.of(call).ifPresent(Replays.Replay::asked);
            }
            return primary.answer(call);
        };
    }

    @Override
    public BoundFallback over(BoundFallback below) {
        return (call, failure) -> {
            Optional<Replays.Replay> replay = Replays.of(call);
            if (replay.isPresent()) {
                replay.get().retryable();
                throw failure.get();
            }
            return store(call, failure);
        };
    }

    private Object store(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        Throwable reason = failure.get();
        try {
            queue.store(keyOf(call.getParameters()), written(call), !(reason instanceof BreakerOpenException));
        } catch (StoreException notStored) {
            if (reason.getSuppressed().length < MOST_SUPPRESSED) {
                reason.addSuppressed(notStored);
            }
            throw reason;
        }
        call.getContextData().put(BoundFallback.ORIGIN, Origin.of(Degraded.Rung.QUEUED));
        return answersByStage ? CompletableFuture.completedFuture(null) : null;
    }

    private String written(InvocationContext call) {
        String text;
        try {
            text = json.write(call.getParameters());
        } catch (RuntimeException | LinkageError e) {
            throw new StoreException(
                    problem(ProblemCode.DFB318, FailureText.of(e), "Give the method what JSON-B can write"), e);
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw new StoreException(
                    problem(
                            ProblemCode.DFB320,
                            bytes + " bytes",
                            "Store what is large elsewhere, and let the method take its id; or raise"
                                    + " distributed-fallback.queue.max-argument-size, now " + maxBytes),
                    null);
        }
        return text;
    }

    private Problem problem(ProblemCode code, String value, String remedy) {
        return new Problem(code, queue.name().method(), value, remedy);
    }

    /** Empty if one of the arguments that make it up is null. A long one is told by its beginning and a hash of it. */
    private Optional<String> keyOf(Object[] arguments) {
        if (keys.isEmpty() || keys.stream().anyMatch(position -> arguments[position] == null)) {
            return Optional.empty();
        }
        String key = keys.stream()
                .map(position -> Objects.toString(arguments[position]))
                .collect(Collectors.joining(", "));
        // PostgreSQL's texts cannot hold it.
        String clean = key.replace('\0', ' ');
        return Optional.of(clean.length() <= LONGEST_KEY ? clean : KeyText.shortened(clean, LONGEST_KEY));
    }
}
