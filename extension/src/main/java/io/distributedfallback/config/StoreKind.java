package io.distributedfallback.config;

/** Where the breakers live: key {@code distributed-fallback.store}. */
public enum StoreKind {
    /** In the application's database; shared by all instances. */
    JPA,
    /** In the memory of this instance, shared with none: for one long-running server. */
    MEMORY
}
