package io.distributedfallback.it.app;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** What this instance knows of a breaker, and what it was told by events. */
@RequestScoped
@Path("breakers/{breaker}")
public class BreakersResource {

    @Inject
    Breakers breakers;

    @Inject
    Witness witness;

    /** State, route, failures counted. */
    @GET
    @Path("status")
    public String status(@PathParam("breaker") String breaker) {
        BreakerStatus status = breakers.get(breaker).status();
        return status.standing().state() + " " + status.route() + " "
                + status.standing().consecutiveFailures();
    }

    /** The transitions that were fired on this instance. */
    @GET
    @Path("events")
    public String events(@PathParam("breaker") String breaker) {
        return String.join(",", witness.transitionsOf(breaker));
    }
}
