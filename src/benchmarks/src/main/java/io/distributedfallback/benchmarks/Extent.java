package io.distributedfallback.benchmarks;

import java.util.Locale;

/** How much is measured. */
public enum Extent {
    /** What does not depend on the machine, and the times of that once: part of every build, about two minutes in all. */
    QUICK,
    /** Everything, in rounds: the table of the guide. */
    FULL;

    static Extent of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** Whether everything is measured. */
    public boolean isFull() {
        return this == FULL;
    }
}
