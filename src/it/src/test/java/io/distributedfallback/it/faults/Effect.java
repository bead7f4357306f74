package io.distributedfallback.it.faults;

/** What a fault does to the cluster, as far as it changes what can be promised meanwhile. */
public enum Effect {
    /** Instances cannot reach the database, or not all of it. */
    STORE_AWAY,
    /** Some instances cannot reach the database, and the others can. */
    STORE_AWAY_FOR_SOME,
    /** An instance dies with what it has in its hands. */
    INSTANCE_DIES,
    /** An instance does not run for a while, maybe with a lease in its hands. */
    INSTANCE_STANDS_STILL,
    /** Rows are gone. */
    STATE_LOST,
    /** Of a write nobody can find out whether it lasts. */
    WRITE_IN_DOUBT,
    /** It may be that nobody notices: it is over at once, only slow, or waits for a moment that may not come. */
    MAY_PASS_UNNOTICED
}
