package io.distributedfallback.core;

import io.distributedfallback.BreakerTransition;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The history of a {@link MemoryBreakerStore}, guarded by it: the last {@value #MOST} entries. */
final class MemoryHistory {

    static final int MOST = 1_000;

    /** The newest first. */
    private final Deque<HistoryEntry> entries = new ArrayDeque<>();

    private long lastId;

    /** @param made the change of state, or what looks like one: from a state to the same */
    void add(BreakerTransition made, HistoryEntry.Evidence evidence, Optional<HistoryEntry.Command> command) {
        lastId++;
        entries.addFirst(new HistoryEntry(
                lastId,
                made.breaker(),
                made.at(),
                made.from(),
                made.to(),
                made.cause(),
                made.instance(),
                evidence,
                command));
        if (entries.size() > MOST) {
            entries.removeLast();
        }
    }

    List<HistoryEntry> find(HistoryQuery query) {
        return entries.stream()
                .filter(entry -> query.breaker().map(entry.breaker()::equals).orElse(true))
                .filter(entry -> entry.id() < query.before().orElse(Long.MAX_VALUE))
                .limit(query.limit())
                .toList();
    }

    /** Forgets what was made then or before. */
    int forget(Instant oldest) {
        int before = entries.size();
        entries.removeIf(entry -> !entry.at().isAfter(oldest));
        return before - entries.size();
    }
}
