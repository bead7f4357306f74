package io.distributedfallback.it.container;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import io.distributedfallback.FailureKind;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Stages that a thread completes which knows nothing of the application, and calls that hang. */
@ExtendWith(ArquillianExtension.class)
class AsynchronousIT {

    private static final long PATIENCE_SECONDS = 20;
    private static final String ALL = "classes names request";
    private static final String WITHOUT_REQUEST = "classes names ";

    @Inject
    Breakers breakers;

    @Inject
    Later later;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("later", Later.class),
                "distributed-fallback.store=memory",
                "distributed-fallback.default.failure-threshold=1000");
    }

    @Test
    void a_strange_thread_knows_nothing_of_the_application() throws Exception {
        assertEquals("", onStrangeThread(later::knowledge));
    }

    @Test
    void the_fallback_of_a_failed_stage_and_what_continues_it_know_the_application() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> continued = later.plain(primary)
                .thenApply(answer -> answer + ", then " + later.knowledge())
                .toCompletableFuture();
        onStrangeThread(() -> primary.completeExceptionally(new IOException("HTTP 503")));
        assertEquals(ALL + ", then " + WITHOUT_REQUEST, continued.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, failures("plain"));
    }

    @Test
    void so_they_do_for_an_asynchronous_method_of_microprofile() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> continued = later.asynchronous(primary)
                .thenApply(answer -> answer + ", then " + later.knowledge())
                .toCompletableFuture();
        onStrangeThread(() -> primary.completeExceptionally(new IOException("HTTP 503")));
        assertEquals(ALL + ", then " + WITHOUT_REQUEST, continued.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, failures("asynchronous"));
    }

    @Test
    void a_stage_that_succeeds_passes_straight_through_on_the_thread_that_completes_it() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        CompletableFuture<String> continued = breakers.get("healthy")
                .callStage(() -> primary)
                .thenApply(answer -> answer + " on " + Thread.currentThread().getName())
                .toCompletableFuture();
        onStrangeThread(() -> primary.complete("primary"));
        assertEquals("primary on stranger", continued.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void a_breaker_guards_a_stage_without_an_annotation_and_outside_a_request() throws Exception {
        CompletableFuture<String> primary = new CompletableFuture<>();
        Breaker breaker = breakers.get("programmatic");
        Future<CompletionStage<String>> call = executor.submit(() -> {
            assertFalse(later.knowledge().contains("request"));
            return breaker.callStage(
                    () -> primary,
                    failure -> CompletableFuture.completedFuture(later.knowledge() + "after " + failure.getMessage()));
        });
        CompletableFuture<String> outcome =
                call.get(PATIENCE_SECONDS, TimeUnit.SECONDS).toCompletableFuture();
        onStrangeThread(() -> primary.completeExceptionally(new IOException("HTTP 503")));
        assertEquals(WITHOUT_REQUEST + "after HTTP 503", outcome.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, failures("programmatic"));
    }

    @Test
    void a_stage_that_never_completes_is_counted_when_it_is_overdue() { // D5
        CompletableFuture<String> outcome = later.hanging().toCompletableFuture();
        until(() -> failures("hanging") == 1);
        assertEquals(
                FailureKind.SLOW, status("hanging").lastFailure().orElseThrow().kind());
        assertFalse(outcome.isDone());
        outcome.cancel(true);
        assertEquals(1, failures("hanging"));
    }

    @Test
    void a_call_that_blocks_is_counted_when_it_is_overdue_and_once() throws Exception { // D5
        CountDownLatch released = new CountDownLatch(1);
        Future<Boolean> call = executor.submit(() -> later.blocking(released));
        until(() -> failures("blocking") == 1);
        assertFalse(call.isDone());
        released.countDown();
        assertTrue(call.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        assertEquals(1, failures("blocking"));
    }

    private BreakerStatus status(String breaker) {
        return breakers.get(breaker).status();
    }

    private int failures(String breaker) {
        return status(breaker).standing().consecutiveFailures();
    }

    /** As a client library has them: not managed, with a class loader of its own. */
    private static <T> T onStrangeThread(Callable<T> code) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread stranger = new Thread(
                () -> {
                    try {
                        result.complete(code.call());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                },
                "stranger");
        stranger.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        stranger.start();
        return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(PATIENCE_SECONDS).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("not in time");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
