package io.distributedfallback.cdi;

/**
 * One rung of the ladder of a guarded method, between the primary and what answers at the bottom. It wraps what is below
 * it, and may look at what the primary answers. Thread-safe.
 */
interface Rung {

    /** The primary, with a look at its answers. */
    default BoundPrimary over(BoundPrimary primary) {
        return primary;
    }

    /** Answers instead of the primary: itself, or by what is below. */
    BoundFallback over(BoundFallback below);
}
