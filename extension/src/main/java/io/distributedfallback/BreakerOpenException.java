package io.distributedfallback;

import java.time.Duration;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;

/**
 * The breaker keeps callers away from the primary, and there is no fallback to answer instead; or a fallback asks for
 * the failure of a primary that was not called.
 */
public class BreakerOpenException extends CircuitBreakerOpenException {

    private static final long serialVersionUID = 1L;

    private final String breaker;
    private final Duration retryAfter;

    /**
     * Creates the exception.
     *
     * @param breaker the breaker's name
     * @param retryAfter the time after which a retry makes sense, not negative
     * @param message what keeps the call from the primary, and the last failure if it is known
     */
    public BreakerOpenException(String breaker, Duration retryAfter, String message) {
        super(message);
        this.breaker = breaker;
        this.retryAfter = retryAfter;
    }

    /**
     * The breaker that kept the call from the primary.
     *
     * @return its name
     */
    public String breaker() {
        return breaker;
    }

    /**
     * The time after which a retry makes sense: the rest of the cooldown, or the time to the next probe. Of a breaker that has
     * closed and, with {@code ramp-up}, lets only a share of the calls through: the time after which this call would have been
     * among them; it is another one for each call.
     *
     * @return not negative; zero if that moment is not known or has come
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
