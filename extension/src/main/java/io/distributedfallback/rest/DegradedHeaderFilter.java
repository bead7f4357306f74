package io.distributedfallback.rest;

import io.distributedfallback.Degraded;
import io.distributedfallback.core.DegradedHeader;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import java.util.Optional;

/**
 * Takes hold of the notes while the thread still serves the request: the response may be sent by another, that of a stage
 * say.
 */
final class DegradedHeaderFilter implements ContainerRequestFilter, ContainerResponseFilter {

    private static final String NOTES = Degraded.class.getName();

    /** Null until it is asked for first: an application's REST may be there before its beans. */
    private volatile Optional<DegradedHeader> header;

    @Override
    public void filter(ContainerRequestContext request) {
        header().flatMap(known -> known.request().get()).ifPresent(notes -> request.setProperty(NOTES, notes));
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        Optional<DegradedHeader> known = header;
        if (known != null && known.isPresent() && request.getProperty(NOTES) instanceof Degraded notes) {
            HeaderValue.of(notes.answers())
                    .ifPresent(value ->
                            response.getHeaders().add(known.get().name().orElseThrow(), value));
        }
    }

    private Optional<DegradedHeader> header() {
        Optional<DegradedHeader> known = header;
        if (known == null) {
            known = lookUp().filter(found -> found.name().isPresent());
            header = known;
        }
        return known;
    }

    /** An application without beans has no breakers. */
    private static Optional<DegradedHeader> lookUp() {
        try {
            return CDI.current().select(DegradedHeader.class).stream().findFirst();
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }
}
