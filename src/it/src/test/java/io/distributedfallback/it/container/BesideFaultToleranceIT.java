package io.distributedfallback.it.container;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import io.distributedfallback.FailureKind;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The annotations of MicroProfile Fault Tolerance on the same method run inside: one logical call is one outcome. */
@ExtendWith(ArquillianExtension.class)
class BesideFaultToleranceIT {

    private static final long PATIENCE = 20;

    @Inject
    Breakers breakers;

    @Inject
    Tolerant tolerant;

    @Resource(lookup = "java:comp/DefaultManagedExecutorService")
    ManagedExecutorService executor;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("tolerance", Tolerant.class),
                "distributed-fallback.store=memory",
                "distributed-fallback.default.failure-threshold=1000");
    }

    @BeforeEach
    void forget_calls() {
        tolerant.forgetCalls();
    }

    @Test
    void three_tries_that_fail_are_one_outcome() throws Exception { // D10
        assertEquals("fallback for IOException", tolerant.retried(3));
        assertEquals(3, tolerant.calls());
        assertEquals(1, failures("retried"));

        tolerant.forgetCalls();
        assertEquals("primary", tolerant.retried(2));
        assertEquals(3, tolerant.calls());
        assertEquals(0, failures("retried"), "the third try was a success, and that is the outcome");
    }

    @Test
    void a_time_out_is_one_outage() throws Exception {
        assertEquals("fallback for TimeoutException", tolerant.timed());
        assertEquals(1, tolerant.calls());
        assertEquals(1, failures("timed"));
        assertEquals(FailureKind.OUTAGE, lastKind("timed"));
    }

    @Test
    void three_tries_that_time_out_are_one_outage() throws Exception {
        assertEquals("fallback for TimeoutException", tolerant.timedAndRetried());
        assertEquals(3, tolerant.calls());
        assertEquals(1, failures("timed and retried"));
    }

    @Test
    void a_full_bulkhead_is_neutral_and_the_fallback_answers() throws Exception { // D3
        Future<String> inside = executor.submit(tolerant::walled);
        assertTrue(tolerant.awaitEntry());
        assertEquals("fallback for BulkheadException", tolerant.walled());
        tolerant.letGo();
        assertEquals("primary", inside.get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(1, tolerant.calls());
        assertEquals(0, failures("walled"));
    }

    @Test
    void an_inner_breaker_that_is_open_is_neutral_and_the_fallback_answers() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertEquals("fallback for IOException", tolerant.behindAnInnerBreaker());
        }
        for (int i = 0; i < 3; i++) {
            assertEquals("fallback for CircuitBreakerOpenException", tolerant.behindAnInnerBreaker());
        }
        assertEquals(2, tolerant.calls());
        assertEquals(2, failures("inner"));
    }

    @Test
    void all_of_them_together_are_one_outcome() throws Exception {
        assertEquals("fallback for IOException", tolerant.withAll());
        assertEquals(3, tolerant.calls());
        assertEquals(1, failures("all"));
    }

    @Test
    void the_outcome_of_an_asynchronous_method_is_that_of_its_stage_after_all_tries() throws Exception {
        assertEquals(
                "fallback for IOException",
                tolerant.asynchronousStage().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(3, tolerant.calls());
        assertEquals(1, failures("asynchronous stage"));
    }

    @Test
    void a_stage_that_times_out_is_one_outage() throws Exception {
        assertEquals(
                "fallback for TimeoutException",
                tolerant.asynchronousAndTimed().toCompletableFuture().get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(1, failures("asynchronous and timed"));
    }

    @Test
    void the_outcome_of_an_asynchronous_method_that_returns_a_future_is_that_of_the_future() throws Exception {
        assertEquals("fallback for IOException", tolerant.asynchronousFuture().get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(3, tolerant.calls());
        assertEquals(1, failures("asynchronous future"));
    }

    @Test
    void a_method_that_is_asynchronous_by_jakarta_concurrency_is_guarded_on_its_thread() throws Exception {
        assertEquals(
                "fallback for IllegalStateException",
                tolerant.asynchronousOfJakarta(false).get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(1, failures("jakarta"));
        assertEquals("primary", tolerant.asynchronousOfJakarta(true).get(PATIENCE, TimeUnit.SECONDS));
        // The method completes the caller's future itself, before it returns and its success is known.
        until(() -> failures("jakarta") == 0);
        assertEquals(2, tolerant.calls());
    }

    @Test
    void the_future_of_jakarta_concurrency_is_the_callers_own_and_no_fallback_can_take_its_place() throws Exception {
        CompletableFuture<String> callers = tolerant.failsTheFutureOfTheCaller().toCompletableFuture();
        ExecutionException failure =
                assertThrows(ExecutionException.class, () -> callers.get(PATIENCE, TimeUnit.SECONDS));
        assertEquals(IOException.class, failure.getCause().getClass());
        until(() -> failures("jakarta itself") == 1);
    }

    private static void until(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("not in time");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private int failures(String breaker) {
        return status(breaker).standing().consecutiveFailures();
    }

    private FailureKind lastKind(String breaker) {
        return status(breaker).lastFailure().orElseThrow().kind();
    }

    private BreakerStatus status(String breaker) {
        return breakers.get(breaker).status();
    }
}
