package io.distributedfallback.rest;

import io.distributedfallback.BreakerOpenException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/**
 * Answers 503 with {@code Retry-After} for a call that is kept from the provider and has no fallback. Jakarta REST finds it by
 * itself, unless the application lists its classes in {@code Application.getClasses()}: then it belongs on that list. A
 * mapper of the application's own for the same exception goes before it. Thread-safe.
 */
@Provider
@Priority(ServiceUnavailable.PRIORITY)
public final class BreakerOpenMapper implements ExceptionMapper<BreakerOpenException> {

    /** For Jakarta REST. */
    public BreakerOpenMapper() {}

    @Override
    public Response toResponse(BreakerOpenException exception) {
        return ServiceUnavailable.after(exception.retryAfter());
    }
}
