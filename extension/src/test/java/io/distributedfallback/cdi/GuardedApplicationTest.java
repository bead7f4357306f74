package io.distributedfallback.cdi;

import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.ChangeFeed;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import io.distributedfallback.deferred.ManagedBackground;
import io.distributedfallback.observe.Observation;
import io.distributedfallback.queue.QueueRoom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A start does not wait for what only calls need. (There are no managed threads here, so the first call puts it together.) */
class GuardedApplicationTest {

    private final AtomicInteger assemblies = new AtomicInteger();
    private final GuardedApplication application = new GuardedApplication(
            new ManagedBackground("java:comp/DefaultManagedExecutorService", null),
            this::assemble,
            true,
            new AdminNotice(new AtOnce(), false, () -> false));

    private final Silence news = new Silence();

    private RunningEngine assemble() {
        assemblies.incrementAndGet();
        CircuitBreakers breakers = new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(System::nanoTime, Instant.EPOCH, "one"),
                new Surroundings(new AtOnce(), System::nanoTime, new BreakerListener() {}, Timings.DEFAULT),
                new Application(
                        breaker -> Policy.DEFAULT,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new RuntimeException(why)));
        breakers.listenTo(news, false);
        return new RunningEngine(
                breakers,
                new GuardedBeans(Map.of(), (site, problems) -> Optional.empty()),
                breakers.controlRoom("one", Set.of()),
                Optional.empty(),
                Optional.empty(),
                QueueRoom.empty(),
                Observation.NONE);
    }

    @Test
    void nothing_is_put_together_before_the_application_has_started() {
        assertThat(assemblies).hasValue(0);
        application.close();
        assertThat(assemblies).hasValue(0);
    }

    @Test
    void a_call_that_comes_before_does_it_and_what_it_got_stays() {
        CircuitBreakers first = application.breakers();
        application.started();
        assertThat(application.breakers()).isSameAs(first);
        assertThat(assemblies).hasValue(1);
    }

    @Test
    void what_is_put_together_after_the_end_has_ended_as_well() {
        application.close();
        assertThat(application.breakers().get("rawg").isOpen()).isFalse();
        assertThat(news.closed).isTrue();
    }

    @Test
    void calls_that_come_together_get_the_same() throws Exception {
        int threads = 8;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier together = new CyclicBarrier(threads);
            List<Future<CircuitBreakers>> got = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                got.add(callers.submit(() -> {
                    together.await();
                    return application.breakers();
                }));
            }
            for (Future<CircuitBreakers> each : got) {
                assertThat(each.get()).isSameAs(application.breakers());
            }
            assertThat(assemblies).hasValue(1);
        } finally {
            callers.shutdownNow();
        }
    }

    /** No news. */
    private static final class Silence implements ChangeFeed {

        private boolean closed;

        @Override
        public void listen(Ears ears) {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
