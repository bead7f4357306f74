package io.distributedfallback.config;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What holds for all queues of an instance. Read once, at deployment.
 *
 * @param datasource key {@code queue.datasource}: the JNDI name of the data source by which calls are stored, to the same
 *     database as that of the breakers, if that one does not take part in the application's transactions
 * @param lease key {@code queue.lease}: how long a stored call that an instance has taken is its own, unless it prolongs that;
 *     1 s to 1 h, by default 30 s
 * @param maxArgumentBytes key {@code queue.max-argument-size}: the most bytes that the arguments of a call may have as JSON;
 *     1 KiB to 10 MiB, by default 64 KiB
 */
public record QueueSettings(Optional<String> datasource, Duration lease, int maxArgumentBytes) {

    /** The defaults. */
    public static final QueueSettings DEFAULT = new QueueSettings(Optional.empty(), Duration.ofSeconds(30), 64 * 1024);

    public QueueSettings {
        Objects.requireNonNull(datasource, "datasource");
        Objects.requireNonNull(lease, "lease");
    }
}
