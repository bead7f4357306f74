package io.distributedfallback.observe;

import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the log says of limits, however many calls they keep away. */
class LimitLinesTest {

    private static final Logger LOGGER = Logger.getLogger("io.distributedfallback");
    private final StoreException away =
            new StoreException(new Problem(ProblemCode.DFB302, "data source jdbc/x", "", "Look"), null);

    private long nanos;
    private final LimitLines limits = new LimitLines(() -> nanos);
    private final Lines lines = new Lines();

    private static final class Lines extends Handler {
        private final List<String> all = new ArrayList<>();

        @Override
        public void publish(LogRecord record) {
            all.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @BeforeEach
    void listen() {
        LOGGER.addHandler(lines);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(lines);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    @Test
    void that_calls_are_refused_is_told_once_a_minute_for_each_reason_and_a_pause_when_it_begins() {
        for (int i = 0; i < 1000; i++) {
            limits.fallbackLimited("rawg", "igdb", LimitReason.RATE);
            limits.fallbackLimited("rawg", "igdb", LimitReason.CONCURRENCY);
            limits.fallbackLimited("rawg", "igdb", LimitReason.PAUSE);
        }
        assertThat(lines.all).hasSize(2).allMatch(line -> line.startsWith("WARNING DFB417: "));
        pass(Duration.ofMinutes(1));
        limits.fallbackLimited("rawg", "igdb", LimitReason.RATE);
        assertThat(lines.all).hasSize(3);
    }

    @Test
    void a_pause_says_what_the_fallback_threw_and_how_long_it_is() {
        limits.fallbackPaused("igdb", Duration.ofSeconds(20), "HTTP 429");
        limits.fallbackPaused("igdb", Duration.ofSeconds(40), "HTTP 429");
        limits.fallbackPaused("other", Duration.ofMillis(20), "");
        assertThat(lines.all)
                .containsExactly(
                        "WARNING DFB418: the fallback is in trouble itself and is left alone for a while: limit igdb"
                                + " [HTTP 429]. Callers get a FallbackLimitedException for 20 s, and longer if it fails"
                                + " again. See what is wrong with the fallback",
                        "WARNING DFB418: the fallback is in trouble itself and is left alone for a while: limit other"
                                + " [as another instance has found]. Callers get a FallbackLimitedException for 1 s, and"
                                + " longer if it fails again. See what is wrong with the fallback");
    }

    @Test
    void that_permits_are_lost_is_told_with_the_share_and_that_they_are_back() {
        limits.permitsLost("igdb", 12, away);
        limits.permitsBack("igdb");
        limits.permitsLost("igdb", 12, away);
        limits.permitsBack("igdb");
        assertThat(lines.all).hasSize(2);
        assertThat(lines.all.get(0))
                .startsWith(
                        "WARNING DFB316: the database hands out no permits of a fallback limit: limit igdb [DFB302: ")
                .endsWith("Until it does, this instance lets 12 calls a second pass, its share of late");
        assertThat(lines.all.get(1))
                .isEqualTo("INFO DFB317: the database hands out permits of a fallback limit again: limit igdb");
    }
}
