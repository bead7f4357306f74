package io.distributedfallback.sample.web;

import io.distributedfallback.sample.SearchResult;
import io.distributedfallback.sample.anime.AnimeCatalog;
import io.distributedfallback.sample.games.GameCatalog;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.function.Function;

/** The searches. Nothing here knows of breakers. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class CatalogResource {

    /** MyAnimeList takes no shorter ones. */
    private static final int SHORTEST_QUERY = 3;

    private static final int LONGEST_QUERY = 100;

    @Inject
    GameCatalog games;

    @Inject
    AnimeCatalog anime;

    @GET
    @Path("games")
    public Response games(@QueryParam("q") @DefaultValue("") String query) {
        return answer(query, games::search);
    }

    @GET
    @Path("anime")
    public Response anime(@QueryParam("q") @DefaultValue("") String query) {
        return answer(query, anime::search);
    }

    private static Response answer(String query, Function<String, SearchResult> catalog) {
        String words = query.strip();
        if (words.length() < SHORTEST_QUERY || words.length() > LONGEST_QUERY) {
            return problem(400, "A search needs 3 to 100 characters.");
        }
        try {
            return Response.ok(catalog.apply(words)).build();
        } catch (WebApplicationException | ProcessingException e) {
            // both have failed; whatever status a provider gave, for our visitor it is we who are unavailable
            return problem(503, "Neither provider answered.");
        }
    }

    private static Response problem(int status, String text) {
        return Response.status(status)
                .entity(Json.createObjectBuilder().add("problem", text).build())
                .build();
    }
}
