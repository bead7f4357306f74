package io.distributedfallback.it.rest.app;

import io.distributedfallback.Breakers;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** What visitors ask. */
@RequestScoped
@Path("/")
public class Desk {

    @Inject
    Shelf shelf;

    @Inject
    Breakers breakers;

    @GET
    @Path("ready")
    public String ready() {
        return "ready";
    }

    @GET
    @Path("open")
    public String open() {
        breakers.get("limited").forceOpen("test", "kept from the provider");
        breakers.get("bare").forceOpen("test", "kept from the provider");
        return "open";
    }

    /** Two calls, of which the second is one too many. */
    @GET
    @Path("limited")
    public String limited() {
        return shelf.limited() + shelf.limited();
    }

    @GET
    @Path("bare")
    public String bare() {
        return shelf.bare();
    }
}
