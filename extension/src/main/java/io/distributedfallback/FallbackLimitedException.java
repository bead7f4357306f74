package io.distributedfallback;

import java.time.Duration;

/**
 * The fallback was not called: its {@link FallbackLimit} is used up, or it is in trouble itself. Has no stack trace, which
 * would cost the most where there is the least to spare.
 */
public class FallbackLimitedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String breaker;
    private final String limit;
    private final Duration retryAfter;

    /**
     * Creates the exception.
     *
     * @param breaker the breaker whose fallback was not called
     * @param limit the limit's name
     * @param retryAfter the time after which a retry makes sense, not negative
     * @param message what keeps the call from the fallback
     */
    public FallbackLimitedException(String breaker, String limit, Duration retryAfter, String message) {
        super(message, null, true, false);
        this.breaker = breaker;
        this.limit = limit;
        this.retryAfter = retryAfter;
    }

    /**
     * The breaker whose fallback was not called.
     *
     * @return its name
     */
    public String breaker() {
        return breaker;
    }

    /**
     * The limit that kept the call from the fallback.
     *
     * @return its name, which is the breaker's if it has none of its own
     */
    public String limit() {
        return limit;
    }

    /**
     * The time after which a retry makes sense: until the next permit, or the rest of a pause.
     *
     * @return not negative; zero if that moment is not known, as where too many calls are under way
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
