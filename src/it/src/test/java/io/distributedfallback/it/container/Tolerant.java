package io.distributedfallback.it.container;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;

/** Guarded methods that carry annotations of MicroProfile Fault Tolerance as well. Each counts how often it is called. */
@ApplicationScoped
public class Tolerant {

    private static final long HANG_SECONDS = 20;

    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch mayLeave = new CountDownLatch(1);

    int calls() {
        return calls.get();
    }

    void forgetCalls() {
        calls.set(0);
    }

    @DistributedFallback(breaker = "retried", fallbackMethod = "why")
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public String retried(int failures) throws IOException {
        if (calls.incrementAndGet() <= failures) {
            throw new IOException("HTTP 503");
        }
        return "primary";
    }

    String why(int failures, Throwable failure) {
        return "fallback for " + failure.getClass().getSimpleName();
    }

    @DistributedFallback(breaker = "timed", fallbackMethod = "why")
    @Timeout(200)
    public String timed() throws InterruptedException {
        calls.incrementAndGet();
        TimeUnit.SECONDS.sleep(HANG_SECONDS);
        return "primary";
    }

    @DistributedFallback(breaker = "timed and retried", fallbackMethod = "why")
    @Timeout(200)
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public String timedAndRetried() throws InterruptedException {
        return timed();
    }

    String why(Throwable failure) {
        return "fallback for " + failure.getClass().getSimpleName();
    }

    @DistributedFallback(breaker = "walled", fallbackMethod = "why")
    @Bulkhead(1)
    public String walled() throws InterruptedException {
        calls.incrementAndGet();
        entered.countDown();
        return mayLeave.await(HANG_SECONDS, TimeUnit.SECONDS) ? "primary" : "nobody let it go";
    }

    boolean awaitEntry() throws InterruptedException {
        return entered.await(HANG_SECONDS, TimeUnit.SECONDS);
    }

    void letGo() {
        mayLeave.countDown();
    }

    @DistributedFallback(breaker = "inner", fallbackMethod = "why")
    @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1, delay = 1, delayUnit = ChronoUnit.HOURS)
    public String behindAnInnerBreaker() throws IOException {
        calls.incrementAndGet();
        throw new IOException("HTTP 503");
    }

    @DistributedFallback(breaker = "all", fallbackMethod = "why")
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    @Timeout(5000)
    @Bulkhead(5)
    @CircuitBreaker(requestVolumeThreshold = 100)
    public String withAll() throws IOException {
        calls.incrementAndGet();
        throw new IOException("HTTP 503");
    }

    @DistributedFallback(breaker = "asynchronous stage", fallbackMethod = "whyLater")
    @Asynchronous
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public CompletionStage<String> asynchronousStage() {
        calls.incrementAndGet();
        return CompletableFuture.failedFuture(new IOException("HTTP 503"));
    }

    @DistributedFallback(breaker = "asynchronous and timed", fallbackMethod = "whyLater")
    @Asynchronous
    @Timeout(200)
    public CompletionStage<String> asynchronousAndTimed() {
        calls.incrementAndGet();
        return new CompletableFuture<>();
    }

    CompletionStage<String> whyLater(Throwable failure) {
        return CompletableFuture.completedFuture(why(failure));
    }

    @DistributedFallback(breaker = "asynchronous future", fallbackMethod = "whyInFuture")
    @Asynchronous
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    public Future<String> asynchronousFuture() throws IOException {
        calls.incrementAndGet();
        throw new IOException("HTTP 503");
    }

    Future<String> whyInFuture(Throwable failure) {
        return CompletableFuture.completedFuture(why(failure));
    }

    @DistributedFallback(breaker = "jakarta", fallbackMethod = "whyCompleted")
    @jakarta.enterprise.concurrent.Asynchronous
    public CompletableFuture<String> asynchronousOfJakarta(boolean works) {
        calls.incrementAndGet();
        if (!works) {
            throw new IllegalStateException("HTTP 503");
        }
        return jakarta.enterprise.concurrent.Asynchronous.Result.complete("primary");
    }

    @DistributedFallback(breaker = "jakarta itself", fallbackMethod = "whyLater")
    @jakarta.enterprise.concurrent.Asynchronous
    public CompletionStage<String> failsTheFutureOfTheCaller() {
        CompletableFuture<String> callers = jakarta.enterprise.concurrent.Asynchronous.Result.getFuture();
        callers.completeExceptionally(new IOException("HTTP 503"));
        return callers;
    }

    CompletableFuture<String> whyCompleted(boolean works, Throwable failure) {
        return CompletableFuture.completedFuture(why(failure));
    }
}
