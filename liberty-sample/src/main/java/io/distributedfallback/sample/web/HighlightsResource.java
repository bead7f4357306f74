package io.distributedfallback.sample.web;

import io.distributedfallback.Degraded;
import io.distributedfallback.sample.SearchResult;
import io.distributedfallback.sample.anime.AnimeCatalog;
import io.distributedfallback.sample.games.GameCatalog;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** The highlights of both catalogues: a page that is worth showing with a part of it missing, and that says so. */
@Path("highlights")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class HighlightsResource {

    private static final String THEME = "moon";

    @Inject
    GameCatalog games;

    @Inject
    AnimeCatalog anime;

    @Inject
    Degraded degraded;

    /**
     * What the page shows.
     *
     * @param games null, and not in the response, if nobody could tell
     * @param anime likewise
     * @param degraded whether anything is missing, or is not what the first provider would say now
     * @param unavailableServices the breakers of what is missing
     * @param rungs what answered instead of a provider, such as {@code rawg: LAST_GOOD, 12 s old}
     */
    public record Highlights(
            SearchResult games,
            SearchResult anime,
            boolean degraded,
            Set<String> unavailableServices,
            List<String> rungs) {}

    @GET
    public Highlights highlights() {
        SearchResult ofGames = orNull(games::highlights);
        SearchResult ofAnime = orNull(anime::highlights);
        return new Highlights(
                ofGames,
                ofAnime,
                degraded.isDegraded(),
                degraded.unavailable(),
                degraded.answers().stream().map(HighlightsResource::describe).toList());
    }

    /** Whatever went wrong with a part, the other one is worth showing. */
    private static SearchResult orNull(Function<String, SearchResult> catalog) {
        try {
            return catalog.apply(THEME);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static String describe(Degraded.Answer answer) {
        Optional<String> age = answer.age().map(old -> ", " + old.toSeconds() + " s old");
        return answer.breaker() + ": " + answer.rung() + age.orElse("");
    }
}
