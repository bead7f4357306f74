package io.distributedfallback.rest;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.time.Duration;

/**
 * 503 with {@code Retry-After} (RFC 9110, sections 15.6.4 and 10.2.3), and a small body (RFC 9457). It names no breaker and
 * tells nothing of the provider: whoever asks may be anybody.
 */
final class ServiceUnavailable {

    /**
     * Lower numbers go first, and an application's mapper without a number has 5000 ({@code Priorities.USER}): so it wins.
     */
    static final int PRIORITY = 1_000_000;

    private static final String PROBLEM = "application/problem+json";

    private ServiceUnavailable() {}

    static Response after(Duration retryAfter) {
        long seconds = retryAfter.isNegative() ? 1 : Math.max(1, roundedUp(retryAfter));
        return Response.status(Response.Status.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, seconds)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .type(PROBLEM)
                .entity("{\"title\":\"Service Unavailable\",\"status\":503," + "\"detail\":\"Try again in " + seconds
                        + (seconds == 1 ? " second" : " seconds") + ".\"}")
                .build();
    }

    private static long roundedUp(Duration time) {
        return time.getNano() == 0 || time.getSeconds() == Long.MAX_VALUE ? time.getSeconds() : time.getSeconds() + 1;
    }
}
