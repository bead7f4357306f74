package io.distributedfallback.store;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Alerts;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.ProbeCall;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import io.distributedfallback.observe.AtMostOncePer;
import io.distributedfallback.observe.CdiEvents;
import io.distributedfallback.observe.Listeners;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.logging.Logger;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Eight instances on one PostgreSQL, each with a notifier that fails: who is on call is told of an outage once. */
class NoticesTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");
    private static final int INSTANCES = 8;
    private static final int OUTAGES = 3;
    private static final Duration GIVE_UP = Duration.ofSeconds(60);

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<Instance> instances = new ArrayList<>();
    private final List<JpaBreakerStore> stores = new ArrayList<>();
    private final Policy policy = new PolicyBuilder()
            .recovery(Recovery.PROBE)
            .probeInterval(Duration.ofMillis(20))
            .probeSuccesses(2)
            .build();
    private WeldContainer container;
    private TestPool pool;
    private volatile boolean down;

    @BeforeEach
    void start() {
        LOGGER.setUseParentHandlers(false);
        postgres.empty();
        container = new Weld().disableDiscovery().addBeanClasses(Notifier.class).initialize();
        pool = new TestPool(postgres.dataSource(), "");
        for (int i = 0; i < INSTANCES; i++) {
            JpaBreakerStore store = Provider.HIBERNATE.store(pool, SchemaMode.CREATE, "", "instance-" + i);
            stores.add(store);
            instances.add(new Instance("instance-" + i, store));
        }
        instances.forEach(Instance::call);
    }

    @AfterEach
    void stop() throws SQLException {
        instances.forEach(Instance::close);
        stores.forEach(JpaBreakerStore::close);
        pool.close();
        container.close();
        LOGGER.setUseParentHandlers(true);
    }

    @Test
    void one_opened_and_one_closed_for_each_outage_of_the_cluster_though_every_notifier_throws() // E6
            throws Exception {
        Notifier notifier = container.select(Notifier.class).get();
        for (int outage = 1; outage <= OUTAGES; outage++) {
            int before = 2 * (outage - 1);
            down = true;
            hammerUntil("opened " + outage, () -> notifier.alerts.size() == before + 1);
            down = false;
            hammerUntil("closed " + outage, () -> notifier.alerts.size() == before + 2);
        }
        hammerUntil("all told", () -> notifier.later.size() == 2 * OUTAGES);
        assertThat(notifier.alerts).hasSize(2 * OUTAGES);
        assertThat(notifier.alerts.stream().map(BreakerAlert::active))
                .containsExactly(true, false, true, false, true, false);
        assertThat(notifier.later).hasSize(2 * OUTAGES);
        assertThat(notifier.transitions).hasSize(2 * OUTAGES);
        assertThat(notifier.alerts.stream().map(BreakerAlert::at).toList())
                .containsExactlyElementsOf(notifier.transitions.stream()
                        .map(BreakerTransition::at)
                        .sorted()
                        .toList());
        assertThat(postgres.query("SELECT to_state, instance FROM distributed_breaker_transition ORDER BY id"))
                .containsExactlyElementsOf(notifier.alerts.stream()
                        .map(alert -> (alert.active() ? "OPEN " : "CLOSED ") + alert.instance())
                        .toList());
        assertThat(notifier.otherKinds).doesNotContain(BreakerAlert.Kind.STORE_UNREACHABLE);
    }

    private void hammerUntil(String what, BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + GIVE_UP.toNanos();
        try (Together together = new Together(INSTANCES)) {
            together.run(i -> () -> {
                while (!condition.getAsBoolean()) {
                    assertThat(System.nanoTime()).as("never " + what).isLessThan(end);
                    instances.get(i).call();
                }
                return null;
            });
        }
    }

    /** A notifier that writes down what it is told, and fails. */
    @Singleton
    static class Notifier {

        final Queue<BreakerAlert> alerts = new ConcurrentLinkedQueue<>();
        final Queue<BreakerAlert> later = new ConcurrentLinkedQueue<>();
        final Queue<BreakerAlert.Kind> otherKinds = new ConcurrentLinkedQueue<>();
        final Queue<BreakerTransition> transitions = new ConcurrentLinkedQueue<>();

        void hear(@Observes BreakerAlert alert) {
            if (alert.kind() == BreakerAlert.Kind.OPENED) {
                alerts.add(alert);
            } else {
                otherKinds.add(alert.kind());
            }
            throw new IllegalStateException("the pager does not answer");
        }

        void hearLater(@ObservesAsync BreakerAlert alert) {
            if (alert.kind() == BreakerAlert.Kind.OPENED) {
                later.add(alert);
            }
            throw new IllegalStateException("the mail server does not answer");
        }

        void hear(@Observes BreakerTransition transition) {
            transitions.add(transition);
            throw new IllegalStateException("the log book is full");
        }
    }

    private final class Instance implements AutoCloseable {

        private final RealThreads threads = new RealThreads();
        private final CircuitBreakers breakers;

        Instance(String name, JpaBreakerStore store) {
            Timings patient = new Timings(
                    Duration.ofMillis(10), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30));
            CdiEvents events = new CdiEvents(
                    container.getBeanManager(), threads, new AtMostOncePer(Duration.ofMinutes(1), System::nanoTime));
            Alerts alerts =
                    events.alerts(AlertRules.DEFAULT, System::nanoTime, name).orElseThrow();
            breakers = new CircuitBreakers(
                    Optional.of(store),
                    new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, name),
                    new Surroundings(threads, System::nanoTime, new Listeners(events, alerts), patient, alerts),
                    new Application(
                            any -> policy,
                            Map.<String, ProbeCall>of("rawg", this::probe),
                            List.of(),
                            (breaker, retryAfter, why) -> new IllegalStateException(why)));
        }

        private boolean probe() throws IOException {
            visit();
            return true;
        }

        private String visit() throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            return "primary";
        }

        String call() {
            try {
                return breakers.get("rawg").call(this::visit, () -> "fallback");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            breakers.close();
            threads.close();
        }
    }
}
