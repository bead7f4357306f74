package io.distributedfallback.it.rest.app;

import io.distributedfallback.FallbackLimitedException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;

/** The application's own answer. */
@Provider
public class OwnMapper implements ExceptionMapper<FallbackLimitedException> {

    @Override
    public Response toResponse(FallbackLimitedException exception) {
        return Response.status(429).entity("slow down").build();
    }
}
