package io.distributedfallback.core;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** The end of one fallback: told once, with what it threw, or null if it did well. */
final class FallbackEnding {

    private final Consumer<Throwable> end;

    FallbackEnding(Consumer<Throwable> end) {
        this.end = end;
    }

    /** It has ended. */
    void now(Throwable thrown) {
        end.accept(thrown);
    }

    /** It ends with the answer, if that tells when it is done; else it has, as far as is known. */
    void with(Object answer) {
        if (answer instanceof CompletionStage<?> stage) {
            follow(stage);
        } else if (answer instanceof Future<?> future && isKnownToBeDone(future)) {
            now(failureOf(future));
        } else {
            now(null);
        }
    }

    /**
     * As {@link #with}, but whoever waits for the answer learns of it after the end has been told.
     *
     * @return what the caller gets: a stage in front of one that is not done yet
     */
    @SuppressWarnings("unchecked") // where a stage is returned, a CompletableFuture can stand in for it
    <T> T before(T answer) {
        if (!(answer instanceof CompletionStage<?> stage) || isDone(stage)) {
            with(answer);
            return answer;
        }
        CompletableFuture<Object> front = new CompletableFuture<>();
        try {
            stage.whenComplete((value, thrown) -> {
                try {
                    now(thrown);
                } finally {
                    // Whatever a strange exception does to whoever looks at it: a caller must not wait for ever.
                    if (thrown == null) {
                        front.complete(value);
                    } else {
                        front.completeExceptionally(thrown);
                    }
                }
            });
        } catch (RuntimeException e) {
            now(null);
            return answer;
        }
        CompletableFuture<Object> unused = front.whenComplete((value, thrown) -> {
            if (front.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
            }
        });
        return (T) front;
    }

    private static boolean isDone(CompletionStage<?> stage) {
        return stage.getClass() == CompletableFuture.class
                && stage.toCompletableFuture().isDone();
    }

    /** One that nobody may follow is the caller's all the same. */
    private void follow(CompletionStage<?> stage) {
        try {
            stage.whenComplete((value, thrown) -> now(thrown));
        } catch (RuntimeException e) {
            now(null);
        }
    }

    /** The AsyncResult of Jakarta Enterprise Beans carries a value, and throws when it is asked. */
    private static boolean isKnownToBeDone(Future<?> future) {
        try {
            return future.isDone();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static Throwable failureOf(Future<?> done) {
        try {
            Object unused = done.get();
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException | RuntimeException e) {
            return e;
        }
    }
}
