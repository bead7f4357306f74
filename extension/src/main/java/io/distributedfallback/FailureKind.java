package io.distributedfallback;

/** What a failure says about the provider, and so what follows from it. */
public enum FailureKind {
    /** The provider does not work: 5xx, time-outs, resets, DNS, TLS, and any exception that is not known better. */
    OUTAGE(true, true),
    /** No answer came within the policy's {@code slow-call}. The caller gets it nevertheless, if it comes. */
    SLOW(true, true),
    /** The provider asks for a pause: 429, or 503 with {@code Retry-After}. Starts or extends a cooldown. */
    THROTTLED(false, true),
    /** The provider refuses us: 401, 403, 407. Never opens: an expired key is no outage. */
    MISCONFIGURED(false, true),
    /** The caller asked for something wrong: other 4xx, failed validation. Neither a failure nor a success. */
    CALLER_ERROR(false, false),
    /** Our own trouble: full bulkhead, rejected task, an inner breaker that is open. Neither failure nor success. */
    LOCAL(false, true),
    /** Our own end of the call: interruption or cancellation. Neither a failure nor a success, and no fallback. */
    CANCELLED(false, false);

    private final boolean counts;
    private final boolean usesFallback;

    FailureKind(boolean counts, boolean usesFallback) {
        this.counts = counts;
        this.usesFallback = usesFallback;
    }

    /**
     * Whether a failure of this kind adds one to the breaker's consecutive failures.
     *
     * @return true for {@link #OUTAGE} and {@link #SLOW}
     */
    public boolean counts() {
        return counts;
    }

    /**
     * Whether the fallback answers after an exception of this kind; otherwise the caller gets the exception.
     *
     * @return false for {@link #CALLER_ERROR} and {@link #CANCELLED}
     */
    public boolean usesFallback() {
        return usesFallback;
    }
}
