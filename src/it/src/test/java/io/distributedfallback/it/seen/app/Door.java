package io.distributedfallback.it.seen.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;

/** What visitors ask. */
@RequestScoped
@Path("/")
public class Door {

    @Inject
    Games games;

    @GET
    @Path("ready")
    public String ready() {
        return "ready";
    }

    @GET
    @Path("search")
    public String search(@QueryParam("fails") boolean fails) {
        return games.search(fails);
    }

    @GET
    @Path("pay")
    public String pay(@QueryParam("fails") boolean fails) {
        return games.pay(fails);
    }

    @GET
    @Path("mend")
    public String mend() {
        games.mend();
        return "mended";
    }
}
