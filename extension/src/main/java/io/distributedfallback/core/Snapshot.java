package io.distributedfallback.core;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** All rows that matter, as one read gave them. Immutable. */
final class Snapshot {

    private final Map<String, Sighting> rows;
    private final long askedNanos;
    private final long receivedNanos;
    private final int epoch;
    private final boolean read;
    private volatile Map<String, List<Sighting>> byBase;

    private Snapshot(Map<String, Sighting> rows, long askedNanos, long receivedNanos, int epoch, boolean read) {
        this.rows = rows;
        this.askedNanos = askedNanos;
        this.receivedNanos = receivedNanos;
        this.epoch = epoch;
        this.read = read;
    }

    /** Nothing read yet: every breaker is taken for closed. */
    static Snapshot none(long now) {
        return new Snapshot(Map.of(), now, now, 0, false);
    }

    /** What a read answered, in the epoch of the store. */
    static Snapshot of(List<BreakerRow> rows, long askedNanos, long receivedNanos, int epoch) {
        Map<String, Sighting> sightings = new HashMap<>();
        rows.forEach(row -> sightings.put(row.name(), new Sighting(row, askedNanos, receivedNanos, epoch)));
        return new Snapshot(Map.copyOf(sightings), askedNanos, receivedNanos, epoch, true);
    }

    Sighting of(String breaker) {
        Sighting sighting = rows.get(breaker);
        return sighting != null ? sighting : new Sighting(BreakerRow.absent(breaker), askedNanos, receivedNanos, epoch);
    }

    /** The rows of the keys of a breaker. Sorted out once for all breakers, by who asks first. */
    List<Sighting> ofKeys(String breaker) {
        Map<String, List<Sighting>> sorted = byBase;
        if (sorted == null) {
            sorted = rows.values().stream()
                    .filter(sighting -> KeyedName.parse(sighting.row().name()).isPresent())
                    .collect(Collectors.groupingBy(
                            sighting -> KeyedName.baseOf(sighting.row().name())));
            byBase = sorted;
        }
        return sorted.getOrDefault(breaker, List.of());
    }

    boolean has(String breaker) {
        return rows.containsKey(breaker);
    }

    /** Whether another reading found the same rows, and none of them changed. */
    boolean isLike(Snapshot other) {
        if (read != other.read || epoch != other.epoch || rows.size() != other.rows.size()) {
            return false;
        }
        for (Sighting sighting : rows.values()) {
            Sighting before = other.rows.get(sighting.row().name());
            if (before == null || !sighting.isLike(before)) {
                return false;
            }
        }
        return true;
    }

    Collection<Sighting> rows() {
        return rows.values();
    }

    /**
     * The rows that are open, without those that an operator forced closed.
     *
     * @param isOurs whether the application has a breaker of that name, which is without a key
     */
    List<BreakerRow> open(long now, Predicate<String> isOurs) {
        return rows.values().stream()
                .filter(sighting -> sighting.isOpenForAll(now)
                        && isOurs.test(KeyedName.baseOf(sighting.row().name())))
                .map(Sighting::row)
                .toList();
    }

    long askedNanos() {
        return askedNanos;
    }

    /** Whether this is younger than a duration given in nanoseconds; never true of nothing. */
    boolean isYoungerThan(long nanos, long now) {
        return read && now - askedNanos <= nanos;
    }

    /** The moment at which this is no longer fresh; that of its making if it is nothing. */
    long freshUntil(long freshNanos) {
        return read ? askedNanos + freshNanos : askedNanos;
    }

    /** Whether this is what a read gave, and not the nothing before the first one. */
    boolean wasRead() {
        return read;
    }

    boolean isNewerThan(Snapshot other) {
        return !other.read || askedNanos - other.askedNanos > 0;
    }

    Optional<Duration> age(long now) {
        return read ? Optional.of(Duration.ofNanos(now - askedNanos)) : Optional.empty();
    }
}
