package io.distributedfallback.cdi;

import java.util.List;
import java.util.stream.Stream;

/**
 * What answers instead of a guarded method.
 *
 * @param before backups that are asked first, in their order
 * @param last what answers if none of them does
 */
record Answering(List<BackupFallback> before, BoundFallback last) {

    Answering {
        before = List.copyOf(before);
    }

    /** One alone. */
    static Answering by(BoundFallback only) {
        return new Answering(List.of(), only);
    }

    boolean isNone() {
        return last.isNone();
    }

    /** All that are beans, in their order. */
    List<BackupFallback> backups() {
        return Stream.concat(
                        before.stream(),
                        Stream.of(last).filter(BackupFallback.class::isInstance).map(BackupFallback.class::cast))
                .toList();
    }
}
