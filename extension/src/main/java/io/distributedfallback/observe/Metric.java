package io.distributedfallback.observe;

/** What is measured, under the names that both metrics APIs show. */
enum Metric {
    CALLS("distributedfallback.calls.total", "Calls by the way that they took and how that ended", ""),
    OPEN("distributedfallback.open", "1 while the state or an operator keeps calls from the primary, else 0", ""),
    PRIMARY_SHARE(
            "distributedfallback.primary.share",
            "Share of the calls that the breaker lets through to the primary: 0 to 1, in between while it ramps up",
            ""),
    STATE("distributedfallback.state.total", "Nanoseconds in each state, as this instance knows", ""),
    OPENED("distributedfallback.opened.total", "Openings made by a write of this instance", ""),
    PROBES("distributedfallback.probes.total", "Probes and trial calls of this instance by verdict", ""),
    MISCONFIGURED("distributedfallback.misconfigured.total", "Calls that the provider refused: 401, 403, 407", ""),
    LIMITED("distributedfallback.limited.total", "Calls kept from the fallback by its limit", ""),
    QUEUED("distributedfallback.queued.calls.total", "Calls that were stored, and what became of stored ones", ""),
    KEYS_OPEN("distributedfallback.keys.open", "Keys of a keyed breaker that are open", ""),
    STORE_OPERATIONS("distributedfallback.store.operations.total", "Reads and writes of the store", ""),
    STORE_DURATION("distributedfallback.store.duration", "How long a read or a write of the store took", "s"),
    STORE_UP("distributedfallback.store.up", "1 while the store answers, else 0", ""),
    COPY_AGE("distributedfallback.copy.age", "Age of this instance's copy of the store in seconds", ""),
    FAILURES_RECORDED(
            "distributedfallback.failures.recorded.total",
            "Failures that reached the store; divided by the record operations it is the coalescing factor",
            "");

    private final String title;
    private final String description;
    private final String unit;

    Metric(String title, String description, String unit) {
        this.title = title;
        this.description = description;
        this.unit = unit;
    }

    /** The name. */
    String title() {
        return title;
    }

    String description() {
        return description;
    }

    /** In UCUM; empty where the value is a plain number, or the name would change with it. */
    String unit() {
        return unit;
    }
}
