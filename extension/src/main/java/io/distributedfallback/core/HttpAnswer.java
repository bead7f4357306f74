package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import java.util.Optional;

/**
 * An answer of a provider over HTTP, and what its status says.
 *
 * <ol>
 *   <li>429: throttled, with the pause that {@code Retry-After} names, if any.
 *   <li>503 with a {@code Retry-After} that names a pause: throttled. With none, or with one of zero seconds, there is
 *       nothing to wait for, and it is the outage that any other 5xx is.
 *   <li>401, 403, 407: misconfigured.
 *   <li>408: local. It says that <em>our</em> connection was idle or slow (RFC 9110, section 15.5.9); the caller asked
 *       for nothing wrong and gets the fallback.
 *   <li>Any other 4xx: the caller's error.
 *   <li>2xx and 3xx as an exception: local. The provider works; that its answer was not followed or not accepted is a
 *       matter between our client and our code.
 *   <li>All else, 1xx and unassigned numbers included: an outage.
 * </ol>
 *
 * @param status the status code
 * @param retryAfter the header {@code Retry-After}, if there is one
 * @param date the header {@code Date}, if there is one
 */
record HttpAnswer(int status, Optional<String> retryAfter, Optional<String> date) {

    private static final String RESPONSE_TYPE = "jakarta.ws.rs.core.Response";
    private static final NamedMethod RESPONSE = new NamedMethod("jakarta.ws.rs.WebApplicationException", "getResponse");
    private static final NamedMethod UNWRAP =
            new NamedMethod("org.jboss.resteasy.client.exception.WebApplicationExceptionWrapper", "unwrap");
    private static final NamedMethod STATUS = new NamedMethod(RESPONSE_TYPE, "getStatus");
    private static final NamedMethod HEADER = new NamedMethod(RESPONSE_TYPE, "getHeaderString", String.class);

    /** The answer that a {@code jakarta.ws.rs.WebApplicationException} or our own probe's failure carries, if any. */
    static Optional<HttpAnswer> in(Throwable failure) {
        if (failure instanceof UnexpectedAnswer own) {
            return Optional.of(own.answer());
        }
        return RESPONSE.call(failure)
                .flatMap(response -> STATUS.call(response)
                        .map(status -> new HttpAnswer(
                                (Integer) status,
                                header(failure, response, "Retry-After"),
                                header(failure, response, "Date"))));
    }

    /**
     * RESTEasy, inside a server, hands out a copy of the response without headers, so that those of a backend do not
     * leak to clients by accident; the exception with the whole response is inside, or is the cause.
     */
    private static Optional<String> header(Throwable failure, Object response, String name) {
        return HEADER.call(response, name)
                .or(() -> UNWRAP.call(failure)
                        .or(() -> Optional.ofNullable(failure.getCause()))
                        .flatMap(RESPONSE::call)
                        .flatMap(original -> HEADER.call(original, name)))
                .map(String.class::cast);
    }

    /** What the answer says about the provider. */
    Classification classification() {
        return switch (status) {
            case 429 -> new Classification(FailureKind.THROTTLED, pause());
            case 503 ->
                pause().filter(HttpAnswer::isLasting)
                        .map(Classification::throttled)
                        .orElse(Classification.of(FailureKind.OUTAGE));
            case 401, 403, 407 -> Classification.of(FailureKind.MISCONFIGURED);
            case 408 -> Classification.of(FailureKind.LOCAL);
            default -> Classification.of(ofClass(status / 100));
        };
    }

    private Optional<RetryAfter> pause() {
        return retryAfter.flatMap(value -> RetryAfterHeader.parse(value, date));
    }

    private static boolean isLasting(RetryAfter pause) {
        return !(pause instanceof RetryAfter.In in && in.delay().isZero());
    }

    private static FailureKind ofClass(int hundreds) {
        return switch (hundreds) {
            case 2, 3 -> FailureKind.LOCAL;
            case 4 -> FailureKind.CALLER_ERROR;
            default -> FailureKind.OUTAGE;
        };
    }
}
