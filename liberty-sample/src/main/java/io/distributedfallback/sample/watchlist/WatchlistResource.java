package io.distributedfallback.sample.watchlist;

import io.distributedfallback.sample.mail.Mailer;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** The watchlist. PUT and DELETE, which no page of another origin can send without asking first. */
@Path("watchlist")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class WatchlistResource {

    @Inject
    Watchlist watchlist;

    @Inject
    Mailer mailer;

    @GET
    public List<String> names() {
        return watchlist.names();
    }

    @PUT
    @Path("{name}")
    public List<String> add(@PathParam("name") String name) {
        if (name.isBlank() || name.length() > WatchlistItem.LONGEST_NAME) {
            throw new BadRequestException("a name has 1 to " + WatchlistItem.LONGEST_NAME + " characters");
        }
        watchlist.add(name);
        mailer.tell(name, "is on the watchlist");
        return watchlist.names();
    }

    @DELETE
    @Path("{name}")
    public List<String> remove(@PathParam("name") String name) {
        watchlist.remove(name);
        mailer.tell(name, "is no longer on the watchlist");
        return watchlist.names();
    }
}
