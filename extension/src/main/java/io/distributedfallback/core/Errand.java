package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Work for the store that another thread does while the caller waits. */
final class Errand {

    private Errand() {}

    /**
     * Has it done.
     *
     * @param threads runs it
     * @param limit how long the caller waits; the work goes on
     * @throws StoreException whatever goes wrong
     */
    static <T> T await(Supplier<T> work, Consumer<Runnable> threads, Duration limit) {
        CompletableFuture<T> done = new CompletableFuture<>();
        try {
            threads.accept(() -> {
                try {
                    done.complete(work.get());
                } catch (RuntimeException | Error e) {
                    done.completeExceptionally(e);
                }
            });
            return done.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw StoreException.of(e);
        } catch (TimeoutException e) {
            throw overdue(limit);
        } catch (RejectedExecutionException e) {
            throw StoreException.noThread(e);
        } catch (ExecutionException e) {
            throw StoreException.of(e.getCause());
        }
    }

    /** A write took longer than its caller waits. */
    static StoreException overdue(Duration limit) {
        return StoreException.overdue("a write", limit, "distributed-fallback.store.write-timeout");
    }
}
