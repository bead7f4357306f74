package io.distributedfallback.it.container.kiosk;

import io.distributedfallback.Degraded;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.util.concurrent.CompletionStage;

/** Says with each answer what is missing in it. */
@Path("/")
@RequestScoped
public class KioskResource {

    @Inject
    private Kiosk kiosk;

    @Inject
    private Degraded degraded;

    @GET
    @Path("paper/{title}")
    public String paper(@PathParam("title") String title) {
        return kiosk.paper(title) + " " + degraded.breakers();
    }

    @GET
    @Path("map/{of}")
    public CompletionStage<String> map(@PathParam("of") String of) {
        return kiosk.map(of);
    }

    @GET
    @Path("everything")
    public String everything() {
        String paper = kiosk.paper("Herald");
        try {
            return paper + ", " + kiosk.ticket();
        } catch (IllegalStateException e) {
            return paper + ", degraded " + degraded.isDegraded() + ", unavailable " + degraded.unavailable();
        }
    }

    @GET
    @Path("down")
    public String down() {
        kiosk.goDown();
        return "down";
    }
}
