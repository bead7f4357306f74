package io.distributedfallback.config;

import io.distributedfallback.core.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Reads what holds for all queues. */
final class QueueReader {

    private static final String DATASOURCE = "queue.datasource";
    private static final String LEASE = "queue.lease";
    private static final String MAX_ARGUMENT_SIZE = "queue.max-argument-size";
    private static final int LEAST_BYTES = 1024;
    private static final int MOST_BYTES = 10 * 1024 * 1024;
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    /** All keys, without {@link ConfigValues#PREFIX}. */
    static final Set<String> KEYS = new TreeSet<>(Set.of(DATASOURCE, LEASE, MAX_ARGUMENT_SIZE));

    private final ConfigValues values;
    private final Consumer<Problem> problems;

    QueueReader(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        this.problems = problems;
    }

    /** The settings, with the default in the place of each value that is not usable. */
    QueueSettings read() {
        Duration lease = values.find(ConfigValues.PREFIX + LEASE, problems)
                .flatMap(found -> found.read(QueueReader::lease, "a duration from 1s to 1h, such as 30s", problems))
                .orElse(QueueSettings.DEFAULT.lease());
        int bytes = values.find(ConfigValues.PREFIX + MAX_ARGUMENT_SIZE, problems)
                .flatMap(found -> found.read(
                        QueueReader::bytes, "a number of bytes from 1024 to 10485760, such as 65536", problems))
                .orElse(QueueSettings.DEFAULT.maxArgumentBytes());
        Optional<String> datasource = values.find(ConfigValues.PREFIX + DATASOURCE, problems)
                .flatMap(found -> found.read(SettingsReader::jndiName, "a JNDI name, such as jdbc/shop", problems));
        return new QueueSettings(datasource, lease, bytes);
    }

    private static Duration lease(String text) {
        Duration lease = Durations.parse(text);
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("it is out of range");
        }
        return lease;
    }

    private static int bytes(String text) {
        int bytes;
        try {
            bytes = PolicyKey.wholeNumber(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("it is no whole number", e);
        }
        if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("it is out of range");
        }
        return bytes;
    }
}
