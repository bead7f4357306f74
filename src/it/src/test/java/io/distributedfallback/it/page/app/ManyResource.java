package io.distributedfallback.it.page.app;

import io.distributedfallback.Breakers;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;

/** Uses breakers that no code declares. */
@RequestScoped
@Path("use")
public class ManyResource {

    @Inject
    Breakers breakers;

    /** One call of a breaker. */
    @GET
    public String use(@QueryParam("name") String name) throws Exception {
        return breakers.get(name).call(() -> "primary", () -> "fallback");
    }

    /** One call of each of many. */
    @GET
    @Path("many")
    public int useMany(@QueryParam("count") int count) throws Exception {
        for (int i = 0; i < count; i++) {
            use("provider-%04d".formatted(i));
        }
        return count;
    }
}
