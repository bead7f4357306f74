package io.distributedfallback.observe;

import io.distributedfallback.ProviderMisconfigured;
import io.distributedfallback.core.Application;
import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Background;
import io.distributedfallback.core.CircuitBreaker;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Surroundings;
import io.distributedfallback.core.Timings;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.NotAuthorizedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static org.assertj.core.api.Assertions.assertThat;

/** A key that has expired must look like what it is, and not like an outage. */
class ExpiredKeyTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");

    private final Lines lines = new Lines();
    private WeldContainer container;
    private long nanos;

    @BeforeEach
    void start() {
        LOGGER.addHandler(lines);
        LOGGER.setUseParentHandlers(false);
        container = new Weld().disableDiscovery().addBeanClasses(Observer.class).initialize();
    }

    @AfterEach
    void stop() {
        container.close();
        LOGGER.setUseParentHandlers(true);
        LOGGER.removeHandler(lines);
    }

    @Test
    void a_401_on_every_call_for_an_hour_never_opens_is_told_once_a_minute_and_is_answered_by_the_fallback() // D7
            throws Exception {
        CircuitBreaker rawg = engine().get("rawg");
        for (int second = 0; second < Duration.ofHours(1).toSeconds(); second++) {
            String answer = rawg.call(
                    () -> {
                        throw new NotAuthorizedException("Bearer");
                    },
                    () -> "fallback");
            assertThat(answer).isEqualTo("fallback");
            assertThat(rawg.status().standing().state()).isEqualTo(CLOSED);
            nanos += Duration.ofSeconds(1).toNanos();
        }
        assertThat(rawg.status().standing().consecutiveFailures()).isZero();
        assertThat(lines.errors)
                .hasSize(60)
                .allSatisfy(line ->
                        assertThat(line).startsWith("DFB401").contains("rawg").contains("401"));
        assertThat(container.select(Observer.class).get().heard())
                .hasSize(60)
                .allSatisfy(event -> assertThat(event.breaker()).isEqualTo("rawg"));
    }

    private CircuitBreakers engine() {
        Background background = new AtOnce();
        CdiEvents events = new CdiEvents(
                container.getBeanManager(), background, new AtMostOncePer(Duration.ofMinutes(1), () -> nanos));
        return new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(() -> nanos, Instant.EPOCH, "alone"),
                new Surroundings(
                        background, () -> nanos, new Listeners(new LogLines(() -> nanos), events), Timings.DEFAULT),
                new Application(
                        name -> Policy.DEFAULT,
                        Map.of(),
                        List.of(),
                        (breaker, retryAfter, why) -> new IllegalStateException(why)));
    }

    @ApplicationScoped
    static class Observer {

        private final List<ProviderMisconfigured> heard = new ArrayList<>();

        void hear(@Observes ProviderMisconfigured event) {
            heard.add(event);
        }

        List<ProviderMisconfigured> heard() {
            return heard;
        }
    }

    private static final class Lines extends Handler {

        private final List<String> errors = new ArrayList<>();

        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().equals(Level.SEVERE)) {
                errors.add(String.valueOf(line.getParameters() == null ? line.getMessage() : line.getParameters()[0]));
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
