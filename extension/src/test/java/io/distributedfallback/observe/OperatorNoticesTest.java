package io.distributedfallback.observe;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

/** Who is told of an outage and of a command, and how often, with notifiers that fail among them. */
class OperatorNoticesTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");

    private final Lines lines = new Lines();
    private WeldContainer container;
    private long nanos;
    private List<CircuitBreaker> instances;
    private boolean down;

    @BeforeEach
    void start() {
        LOGGER.addHandler(lines);
        LOGGER.setUseParentHandlers(false);
        container = new Weld()
                .disableDiscovery()
                .addBeanClasses(Observer.class, Thrower.class)
                .initialize();
        MemoryBreakerStore shared = new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "store");
        instances = IntStream.range(0, 3)
                .mapToObj(i -> engine(shared, "instance-" + i).get("rawg"))
                .toList();
    }

    @AfterEach
    void stop() {
        container.close();
        LOGGER.setUseParentHandlers(true);
        LOGGER.removeHandler(lines);
    }

    private void everybodyCalls() throws Exception {
        nanos += Duration.ofSeconds(15).toNanos();
        for (CircuitBreaker instance : instances) {
            instance.call(
                    () -> {
                        if (down) {
                            throw new IOException("HTTP 503");
                        }
                        return "primary";
                    },
                    () -> "fallback");
        }
    }

    @Test
    void an_outage_is_told_once_when_it_begins_and_once_when_it_ends_though_notifiers_throw() throws Exception { // E6
        for (int outage = 1; outage <= 3; outage++) {
            down = true;
            for (int i = 0; i < 5; i++) {
                everybodyCalls();
            }
            down = false;
            for (int i = 0; i < 5; i++) {
                everybodyCalls();
            }
            assertThat(observer().transitions()).hasSize(2 * outage);
        }
        assertThat(observer().transitions())
                .extracting(BreakerTransition::to)
                .containsExactly(OPEN, CLOSED, OPEN, CLOSED, OPEN, CLOSED);
        assertThat(lines.starting("DFB404")).hasSize(3);
        assertThat(lines.starting("DFB405")).hasSize(3);
    }

    @Test
    void a_command_is_told_once_with_who_and_why_and_without_secrets() throws Exception {
        everybodyCalls();
        instances
                .get(0)
                .forceOpen("ann", "see https://u:hunter2@wiki.example.org/p?key=topsecret", Duration.ofHours(1));
        instances.get(1).reset("bob", "mended");

        assertThat(observer().commands())
                .extracting(told -> told.command().action())
                .containsExactly(Action.FORCE_OPEN, Action.RESET);
        assertThat(observer().commands())
                .extracting(BreakerCommanded::instance)
                .containsExactly("instance-0", "instance-1");
        assertThat(lines.starting("DFB410"))
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("breaker rawg [FORCE_OPEN for PT1H, by ann: see https://***@wiki.example.org/p?***]")
                        .doesNotContain("hunter2")
                        .doesNotContain("topsecret"));
        assertThat(lines.starting("DFB411"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("RESET, by bob: mended"));
    }

    private Observer observer() {
        return container.select(Observer.class).get();
    }

    private CircuitBreakers engine(MemoryBreakerStore shared, String instance) {
        Background background = new AtOnce();
        CdiEvents events = new CdiEvents(
                container.getBeanManager(), background, new AtMostOncePer(Duration.ofMinutes(1), () -> nanos));
        BreakerListener broken = new BreakerListener() {
            @Override
            public void transitioned(BreakerTransition transition) {
                throw new IllegalStateException("a pager that is broken");
            }
        };
        return new CircuitBreakers(
                Optional.of(shared.sharedBy(instance)),
                new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "stand-in"),
                new Surroundings(
                        background,
                        () -> nanos,
                        new Listeners(broken, new LogLines(() -> nanos), events),
                        Timings.DEFAULT),
                new Application(
                        name -> Policy.DEFAULT,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    @ApplicationScoped
    static class Observer {

        private final List<BreakerTransition> transitions = new ArrayList<>();
        private final List<BreakerCommanded> commands = new ArrayList<>();

        void hear(@Observes @Priority(1) BreakerTransition event) {
            transitions.add(event);
        }

        void hear(@Observes BreakerCommanded event) {
            commands.add(event);
        }

        List<BreakerTransition> transitions() {
            return transitions;
        }

        List<BreakerCommanded> commands() {
            return commands;
        }
    }

    @ApplicationScoped
    static class Thrower {

        void hear(@Observes @Priority(2) BreakerTransition event) {
            throw new IllegalStateException("an observer that is broken");
        }
    }

    private static final class Lines extends Handler {

        private final List<String> lines = new ArrayList<>();

        List<String> starting(String code) {
            return lines.stream().filter(line -> line.startsWith(code)).toList();
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(String.valueOf(line.getParameters() == null ? line.getMessage() : line.getParameters()[0]));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
