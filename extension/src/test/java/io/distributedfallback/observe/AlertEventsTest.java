package io.distributedfallback.observe;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.TransitionCause;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Alerts;
import io.distributedfallback.core.Background;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

/** Alerts as CDI events, on real threads. */
class AlertEventsTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");
    private static final long GIVE_UP_SECONDS = 30;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Background threads = new Threads(executor);
    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private final Handler lines = new Lines(warnings);
    private WeldContainer container;

    @BeforeEach
    void listen() {
        LOGGER.addHandler(lines);
        LOGGER.setUseParentHandlers(false);
    }

    @AfterEach
    void stop() {
        executor.shutdownNow();
        container.close();
        LOGGER.setUseParentHandlers(true);
        LOGGER.removeHandler(lines);
    }

    private CdiEvents events(Class<?>... beans) {
        container = new Weld().disableDiscovery().addBeanClasses(beans).initialize();
        return new CdiEvents(
                container.getBeanManager(), threads, new AtMostOncePer(Duration.ofMinutes(1), System::nanoTime));
    }

    private Alerts alerts(Class<?>... beans) {
        return events(beans)
                .alerts(AlertRules.DEFAULT, System::nanoTime, "pod-7")
                .orElseThrow();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(GIVE_UP_SECONDS, TimeUnit.SECONDS);
        assertThat(next).as("something within " + GIVE_UP_SECONDS + " s").isNotNull();
        return next;
    }

    @Test
    void nothing_is_noticed_for_nobody() {
        assertThat(events(Deaf.class).alerts(AlertRules.DEFAULT, System::nanoTime, "pod-7"))
                .isEmpty();
    }

    @Test
    void observers_of_either_kind_are_told_off_the_callers_thread() throws InterruptedException {
        alerts(Ears.class).misconfigured("rawg", "HTTP 401");
        Ears ears = container.select(Ears.class).get();
        for (BlockingQueue<BreakerAlert> heard : List.of(ears.heard, ears.heardLater)) {
            assertThat(next(heard)).satisfies(alert -> {
                assertThat(alert.breaker()).isEqualTo("rawg");
                assertThat(alert.kind()).isEqualTo(BreakerAlert.Kind.MISCONFIGURED);
                assertThat(alert.active()).isTrue();
                assertThat(alert.message()).contains("401");
                assertThat(alert.instance()).isEqualTo("pod-7");
            });
        }
        assertThat(ears.threads).doesNotContain(Thread.currentThread().getName());
    }

    @Test
    void an_observer_that_throws_is_named_in_the_log_and_keeps_nothing_from_the_next_alert()
            throws InterruptedException {
        Alerts alerts = alerts(Faulty.class, Ears.class);
        alerts.misconfigured("rawg", "HTTP 401");
        List<String> told = List.of(next(warnings), next(warnings));
        assertThat(told)
                .allSatisfy(line -> assertThat(line).startsWith("DFB416").contains("rawg"));
        assertThat(told)
                .anyMatch(line -> line.contains("the pager is broken"))
                .anyMatch(line -> line.contains("the mail is broken"));
        assertThat(next(container.select(Ears.class).get().heardLater).breaker())
                .isEqualTo("rawg");
        alerts.misconfigured("jikan", "HTTP 401");
        assertThat(next(container.select(Ears.class).get().heardLater).breaker())
                .isEqualTo("jikan");
    }

    @Test
    void a_slow_observer_delays_only_the_further_alerts_of_the_same_breaker_and_these_keep_their_order()
            throws InterruptedException {
        Alerts alerts = alerts(Slow.class);
        Slow slow = container.select(Slow.class).get();
        alerts.transitioned(opened("rawg"));
        alerts.transitioned(closed("rawg"));
        alerts.transitioned(opened("rawg"));
        alerts.transitioned(opened("jikan"));
        assertThat(next(slow.heard)).isEqualTo("jikan true");
        slow.mayGoOn.countDown();
        assertThat(next(slow.heard)).isEqualTo("rawg true");
        assertThat(next(slow.heard)).isEqualTo("rawg false");
        assertThat(next(slow.heard)).isEqualTo("rawg true");
    }

    @Test
    void where_no_thread_can_be_had_the_log_has_the_alert() throws InterruptedException {
        Alerts alerts = alerts(Ears.class);
        executor.shutdown();
        alerts.transitioned(opened("rawg"));
        assertThat(next(warnings)).startsWith("DFB501").contains("rawg");
    }

    @Singleton
    static class Deaf {}

    @Singleton
    static class Ears {

        final BlockingQueue<BreakerAlert> heard = new LinkedBlockingQueue<>();
        final BlockingQueue<BreakerAlert> heardLater = new LinkedBlockingQueue<>();
        final BlockingQueue<String> threads = new LinkedBlockingQueue<>();

        void hear(@Observes BreakerAlert alert) {
            threads.add(Thread.currentThread().getName());
            heard.add(alert);
        }

        void hearLater(@ObservesAsync BreakerAlert alert) {
            threads.add(Thread.currentThread().getName());
            heardLater.add(alert);
        }
    }

    @Singleton
    static class Faulty {

        void page(@Observes @Priority(1) BreakerAlert alert) {
            throw new IllegalStateException("the pager is broken");
        }

        void mail(@ObservesAsync BreakerAlert alert) {
            throw new IllegalStateException("the mail is broken");
        }
    }

    @Singleton
    static class Slow {

        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        void hear(@Observes BreakerAlert alert) throws InterruptedException {
            if (alert.breaker().equals("rawg")) {
                mayGoOn.await();
            }
            heard.add(alert.breaker() + " " + alert.active());
        }
    }

    private static BreakerTransition opened(String breaker) {
        return new BreakerTransition(breaker, CLOSED, OPEN, TransitionCause.FAILURES, "pod-7", Instant.EPOCH);
    }

    private static BreakerTransition closed(String breaker) {
        return new BreakerTransition(breaker, OPEN, CLOSED, TransitionCause.PROBES, "pod-7", Instant.EPOCH);
    }

    private record Threads(ExecutorService executor) implements Background {

        @Override
        public Task run(Runnable task) {
            Future<?> future = executor.submit(task);
            return () -> future.cancel(true);
        }

        @Override
        public void afterRequest(Runnable task) {
            executor.execute(task);
        }

        @Override
        public Executor callersContext() {
            return Runnable::run;
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            return () -> {};
        }
    }

    private static final class Lines extends Handler {

        private final BlockingQueue<String> warnings;

        Lines(BlockingQueue<String> warnings) {
            this.warnings = warnings;
        }

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().equals(Level.WARNING)) {
                warnings.add(new SimpleFormatter().formatMessage(line));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
