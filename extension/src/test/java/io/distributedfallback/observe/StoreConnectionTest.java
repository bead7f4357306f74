package io.distributedfallback.observe;

import io.distributedfallback.StoreConnection;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** That the database is away, and back: as an event and in the log. */
class StoreConnectionTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");

    private final Lines lines = new Lines();
    private WeldContainer container;
    private CircuitBreakers breakers;
    private long nanos;
    private boolean away;

    @BeforeEach
    void start() {
        LOGGER.addHandler(lines);
        LOGGER.setUseParentHandlers(false);
        container = new Weld()
                .disableDiscovery()
                .addBeanClasses(Observer.class, Thrower.class)
                .initialize();
        Background background = new AtOnce();
        CdiEvents events = new CdiEvents(
                container.getBeanManager(), background, new AtMostOncePer(Duration.ofMinutes(1), () -> nanos));
        breakers = new CircuitBreakers(
                Optional.of(store()),
                new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "stand-in"),
                new Surroundings(
                        background, () -> nanos, new Listeners(new LogLines(() -> nanos), events), Timings.DEFAULT),
                new Application(
                        name -> Policy.DEFAULT,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    @AfterEach
    void stop() {
        container.close();
        LOGGER.setUseParentHandlers(true);
        LOGGER.removeHandler(lines);
    }

    /** One in memory that can be away. */
    private BreakerStore store() {
        MemoryBreakerStore memory = new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "store");
        return (BreakerStore) Proxy.newProxyInstance(
                BreakerStore.class.getClassLoader(),
                new Class<?>[] {BreakerStore.class},
                (proxy, method, arguments) -> {
                    if (away) {
                        throw new StoreException(
                                new Problem(
                                        ProblemCode.DFB302,
                                        "data source jdbc/breakers",
                                        "Connection to db.example:5432 refused\nfor user with password=hunter2",
                                        "Wait"),
                                new SQLException("Connection to db.example:5432 refused", "08001"));
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void fail(Exception failure) throws Exception {
        breakers.get("rawg")
                .call(
                        () -> {
                            throw failure;
                        },
                        () -> "fallback");
    }

    private void loseAndFindAgain() throws Exception {
        breakers.readAhead();
        fail(new IOException("HTTP 503"));
        away = true;
        fail(new IOException("HTTP 503"));
        nanos += Duration.ofSeconds(20).toNanos();
        away = false;
        breakers.readAhead();
    }

    @Test
    void is_told_once_for_a_loss_and_once_for_the_return_though_an_observer_throws() throws Exception {
        loseAndFindAgain();

        List<StoreConnection> heard = container.select(Observer.class).get().heard();
        assertThat(heard).hasSize(2);
        StoreConnection loss = heard.get(0);
        assertThat(loss.up()).isFalse();
        assertThat(loss.reason())
                .startsWith("DFB302: ")
                .contains("db.example:5432")
                .doesNotContain("hunter2")
                .doesNotContain("\n");
        assertThat(loss.away()).isZero();
        StoreConnection back = heard.get(1);
        assertThat(back.up()).isTrue();
        assertThat(back.reason()).isEqualTo(loss.reason());
        assertThat(back.away()).isEqualTo(Duration.ofSeconds(20));
        assertThat(back.failures()).isEqualTo(1);
        assertThat(back.at()).isAfterOrEqualTo(loss.at());
    }

    @Test
    void is_in_the_log_in_two_lines() throws Exception {
        loseAndFindAgain();

        assertThat(lines.starting("DFB302"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("breaks on its own evidence"));
        assertThat(lines.starting("DFB308"))
                .containsExactly("DFB308: the database answers again after 20 s; its word counts again."
                        + " Failures offered to it: 1");
    }

    @Test
    void of_a_breaker_that_guards_its_own_database_is_warned_of_once() throws Exception {
        breakers.readAhead();
        away = true;
        for (int i = 0; i < 3; i++) {
            fail(new SQLException("Connection to db.example:5432 refused", "08001"));
        }

        assertThat(lines.starting("DFB425"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("breaker rawg [SQLSTATE 08001 of db.example:5432"));
    }

    @ApplicationScoped
    static class Observer {

        private final List<StoreConnection> heard = new ArrayList<>();

        void hear(@Observes @Priority(1) StoreConnection event) {
            heard.add(event);
        }

        List<StoreConnection> heard() {
            return heard;
        }
    }

    @ApplicationScoped
    static class Thrower {

        void hear(@Observes @Priority(2) StoreConnection event) {
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
            lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
