package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.LastFailure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a {@link MemoryRow} knows of the failures that it counts: some of the instances, and the last failures. */
final class MemoryFailures {

    private final Set<String> instances = new LinkedHashSet<>();

    /** The newest first. */
    private final Deque<LastFailure> last = new ArrayDeque<>();

    void add(LastFailure failure, int quorum) {
        if (instances.size() < Math.max(quorum, BreakerStore.INSTANCES_KEPT)) {
            instances.add(failure.instance());
        }
        last.addFirst(new LastFailure(failure.at(), failure.kind(), cut(failure.text()), failure.instance()));
        if (last.size() > BreakerStore.FAILURES_KEPT) {
            last.removeLast();
        }
    }

    private static String cut(String text) {
        int characters = Math.min(text.codePointCount(0, text.length()), BreakerStore.LONGEST_KEPT);
        return text.substring(0, text.offsetByCodePoints(0, characters));
    }

    void clear() {
        instances.clear();
        last.clear();
    }

    Set<String> instances() {
        return instances;
    }

    List<LastFailure> last() {
        return List.copyOf(last);
    }
}
