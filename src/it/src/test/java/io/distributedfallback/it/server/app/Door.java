package io.distributedfallback.it.server.app;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import io.distributedfallback.CopyStatus;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.util.concurrent.CompletionStage;

/** What visitors ask, and what the test wants to know. */
@RequestScoped
@Path("/")
public class Door {

    @Inject
    Desk desk;

    @Inject
    Trade trade;

    @Inject
    Breakers breakers;

    @GET
    @Path("call/{kind}")
    public String call(@PathParam("kind") String kind) throws Exception {
        return switch (kind) {
            case "plain" -> desk.plain();
            case "kept" -> desk.kept("a name");
            case "limited" -> desk.limited();
            case "queued" -> queued();
            case "keyed" -> desk.keyed("a tenant");
            case "byHand" -> desk.byHand();
            default -> throw new NotFoundException(kind);
        };
    }

    private String queued() {
        desk.queued("a letter");
        return "primary or queued";
    }

    @GET
    @Path("later")
    public CompletionStage<String> later(@QueryParam("millis") long millis) {
        return desk.later(millis);
    }

    @GET
    @Path("turn/{mode}")
    public String turn(@PathParam("mode") String mode) {
        trade.turn(mode);
        return mode;
    }

    /** How often visitors and probes have asked the provider. */
    @GET
    @Path("asked")
    public String asked() {
        return trade.asked() + " " + trade.probed();
    }

    @GET
    @Path("status/{breaker}")
    public String status(@PathParam("breaker") String breaker) {
        BreakerStatus status = breakers.get(breaker).status();
        return status.standing().state() + " " + status.route();
    }

    /** Whether it listens, whether it has read, and whether the store is there. */
    @GET
    @Path("copy")
    public String copy() {
        CopyStatus copy = breakers.copy();
        return copy.push() + " " + (copy.age().isPresent() ? "read" : "unread") + " "
                + (copy.storeUp() ? "up" : "down");
    }
}
