package io.distributedfallback.tck;

import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
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
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.testng.Arquillian;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.testng.annotations.Test;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertFalse;
import static org.testng.Assert.assertThrows;
import static org.testng.Assert.assertTrue;

/**
 * The annotation together with those of MicroProfile Fault Tolerance on one method: the TCK's cases of a fallback or a
 * breaker around retries, time-outs, bulkheads and asynchronous calls.
 */
public class CasesOfTheTckIT extends Arquillian {

    private static final int THRESHOLD = 3;

    @Inject
    private Breakers breakers;

    @Inject
    private Retried retried;

    @Inject
    private TimedOut timedOut;

    @Inject
    private Limited limited;

    @Inject
    private InnerBreaker innerBreaker;

    @Inject
    private Later later;

    @Deployment
    public static WebArchive archive() {
        return ShrinkWrap.create(WebArchive.class, "beside-fault-tolerance.war")
                .addClass(CasesOfTheTckIT.class)
                .addAsResource(
                        new StringAsset("distributed-fallback.store=memory\n"),
                        "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    private int failuresOf(String breaker) {
        return breakers.get(breaker).status().standing().consecutiveFailures();
    }

    /** Retries. */
    @ApplicationScoped
    public static class Retried {
        private final AtomicInteger asked = new AtomicInteger();

        @DistributedFallback(breaker = "retried", fallbackMethod = "instead")
        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        public String ask() throws IOException {
            asked.incrementAndGet();
            throw new IOException("HTTP 503");
        }

        @DistributedFallback(breaker = "retried with success", fallbackMethod = "instead")
        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        public String askUntilItAnswers() throws IOException {
            if (asked.incrementAndGet() % 3 != 0) {
                throw new IOException("HTTP 503");
            }
            return "primary";
        }

        public String instead() {
            return "fallback";
        }

        public int asked() {
            return asked.getAndSet(0);
        }
    }

    @Test
    public void the_fallback_answers_after_the_retries_and_they_are_one_failure() throws IOException {
        for (int i = 1; i <= THRESHOLD; i++) {
            assertEquals(retried.ask(), "fallback");
            assertEquals(retried.asked(), 3);
            assertEquals(failuresOf("retried"), i);
        }
        assertTrue(breakers.get("retried").isOpen());
        assertEquals(retried.ask(), "fallback");
        assertEquals(retried.asked(), 0, "an open breaker is not retried");
    }

    @Test
    public void a_call_that_succeeds_by_a_retry_is_a_success() throws IOException {
        assertEquals(retried.askUntilItAnswers(), "primary");
        assertEquals(failuresOf("retried with success"), 0);
        retried.asked();
    }

    /** Times out. */
    @ApplicationScoped
    public static class TimedOut {
        private final AtomicInteger asked = new AtomicInteger();

        @DistributedFallback(breaker = "timed out", fallbackMethod = "instead")
        @Timeout(50)
        public String ask() throws InterruptedException {
            asked.incrementAndGet();
            new CountDownLatch(1).await(10, TimeUnit.SECONDS);
            return "too late";
        }

        @DistributedFallback(breaker = "timed out, not failOn", failOn = IOException.class, fallbackMethod = "instead")
        @Timeout(50)
        public String askWithOtherFailOn() throws InterruptedException {
            return ask();
        }

        @DistributedFallback(breaker = "timed out and retried", fallbackMethod = "instead")
        @Timeout(50)
        @Retry(maxRetries = 1, delay = 0, jitter = 0)
        public String askTwice() throws InterruptedException {
            return ask();
        }

        public String instead() {
            return "fallback";
        }

        public int asked() {
            return asked.getAndSet(0);
        }
    }

    @Test
    public void a_time_out_is_a_failure_and_the_fallback_answers() throws InterruptedException {
        assertEquals(timedOut.ask(), "fallback");
        assertEquals(failuresOf("timed out"), 1);
        timedOut.asked();
    }

    @Test
    public void a_time_out_that_fail_on_does_not_name_is_rethrown_and_not_counted() {
        assertThrows(
                org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException.class,
                () -> timedOut.askWithOtherFailOn());
        assertEquals(failuresOf("timed out, not failOn"), 0);
        timedOut.asked();
    }

    @Test
    public void time_outs_are_retried_and_are_one_failure() throws InterruptedException {
        timedOut.asked();
        assertEquals(timedOut.askTwice(), "fallback");
        assertEquals(timedOut.asked(), 2);
        assertEquals(failuresOf("timed out and retried"), 1);
    }

    /** Has room for one call at a time. */
    @ApplicationScoped
    public static class Limited {
        @Inject
        private Limited self;

        @DistributedFallback(breaker = "limited", fallbackMethod = "instead")
        @Bulkhead(1)
        public String ask(boolean onceMore) {
            return onceMore ? "primary and " + self.ask(false) : "primary";
        }

        public String instead(boolean onceMore, Throwable why) {
            return why.getClass().getSimpleName();
        }
    }

    @Test
    public void a_full_bulkhead_uses_the_fallback_and_is_no_failure_of_the_provider() {
        assertEquals(limited.ask(true), "primary and BulkheadException");
        assertEquals(failuresOf("limited"), 0);
        assertEquals(limited.ask(false), "primary", "the place in the bulkhead is free again");
    }

    /** Has an inner breaker. */
    @ApplicationScoped
    public static class InnerBreaker {
        @DistributedFallback(breaker = "around a breaker", fallbackMethod = "instead")
        @CircuitBreaker(requestVolumeThreshold = 2, failureRatio = 1, delay = 60_000)
        public String ask() throws IOException {
            throw new IOException("HTTP 503");
        }

        public String instead(Throwable why) {
            return why.getClass().getSimpleName();
        }
    }

    @Test
    public void an_inner_breaker_that_is_open_uses_the_fallback_and_is_no_failure_of_the_provider() throws IOException {
        assertEquals(innerBreaker.ask(), "IOException");
        assertEquals(innerBreaker.ask(), "IOException");
        assertEquals(innerBreaker.ask(), "CircuitBreakerOpenException");
        assertEquals(failuresOf("around a breaker"), 2);
        assertFalse(breakers.get("around a breaker").isOpen());
    }

    /** Answers on another thread. */
    @ApplicationScoped
    public static class Later {
        @DistributedFallback(breaker = "stage that answers", fallbackMethod = "stageInstead")
        @Asynchronous
        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("primary");
        }

        @DistributedFallback(breaker = "stage that throws", fallbackMethod = "stageInstead")
        @Asynchronous
        public CompletionStage<String> stageThatThrows() throws IOException {
            throw new IOException("HTTP 503");
        }

        @DistributedFallback(breaker = "stage that fails", fallbackMethod = "stageInstead")
        @Asynchronous
        public CompletionStage<String> stageThatFails() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        @DistributedFallback(breaker = "stage retried", fallbackMethod = "stageInstead")
        @Asynchronous
        @Retry(maxRetries = 2, delay = 0, jitter = 0)
        public CompletionStage<String> stageRetried() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        public CompletionStage<String> stageInstead() {
            return CompletableFuture.completedFuture("fallback");
        }

        @DistributedFallback(breaker = "future that answers", fallbackMethod = "futureInstead")
        @Asynchronous
        public Future<String> future() {
            return CompletableFuture.completedFuture("primary");
        }

        @DistributedFallback(breaker = "future that fails", fallbackMethod = "futureInstead")
        @Asynchronous
        public Future<String> futureThatFails() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        @DistributedFallback(breaker = "future that throws", fallbackMethod = "futureInstead")
        @Asynchronous
        public Future<String> futureThatThrows() throws IOException {
            throw new IOException("HTTP 503");
        }

        public Future<String> futureInstead() {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    private static String outcome(Future<String> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }

    private static String outcome(CompletionStage<String> stage) throws Exception {
        return outcome((Future<String>) stage.toCompletableFuture());
    }

    @Test
    public void a_stage_that_answers_is_the_answer() throws Exception {
        assertEquals(outcome(later.stage()), "primary");
        assertEquals(failuresOf("stage that answers"), 0);
    }

    @Test
    public void an_asynchronous_method_that_throws_uses_the_fallback() throws Exception {
        assertEquals(outcome(later.stageThatThrows()), "fallback");
        assertEquals(failuresOf("stage that throws"), 1);
    }

    @Test
    public void an_asynchronous_stage_that_fails_uses_the_fallback() throws Exception {
        assertEquals(outcome(later.stageThatFails()), "fallback");
        assertEquals(failuresOf("stage that fails"), 1);
    }

    @Test
    public void an_asynchronous_call_after_its_retries_is_one_failure() throws Exception {
        assertEquals(outcome(later.stageRetried()), "fallback");
        assertEquals(failuresOf("stage retried"), 1);
    }

    @Test
    public void a_future_that_answers_is_the_answer() throws Exception {
        assertEquals(outcome(later.future()), "primary");
    }

    @Test
    public void an_asynchronous_method_that_throws_uses_the_fallback_when_its_future_is_asked() throws Exception {
        assertEquals(outcome(later.futureThatThrows()), "fallback");
        assertEquals(failuresOf("future that throws"), 1);
    }

    @Test
    public void a_future_that_fails_uses_the_fallback_when_it_is_asked() throws Exception {
        assertEquals(outcome(later.futureThatFails()), "fallback");
        assertEquals(failuresOf("future that fails"), 1);
    }
}
