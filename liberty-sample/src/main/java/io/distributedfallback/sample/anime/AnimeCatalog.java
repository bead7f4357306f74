package io.distributedfallback.sample.anime;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.LastGood;
import io.distributedfallback.Probe;
import io.distributedfallback.sample.SearchResult;
import io.distributedfallback.sample.Title;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import java.util.List;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/**
 * Anime from Jikan; from MyAnimeList while Jikan is down. Here the fallback is a class of its own, and a part of the
 * policy stands beside the code: an answer that takes longer than a second counts as a failure.
 */
@ApplicationScoped
@BreakerPolicy(breaker = "jikan", slowCall = "1s")
public class AnimeCatalog {

    static final int PAGE = 8;
    private static final int SOME_ANIME = 1;

    @Inject
    @RestClient
    JikanClient jikan;

    @DistributedFallback(breaker = "jikan", value = MyAnimeListSearch.class)
    public SearchResult search(String query) {
        return askJikan(query);
    }

    /** As those of games, but that there is nobody else to ask: what is too old is missing. */
    @DistributedFallback(breaker = "jikan")
    @LastGood(maxAge = "20s")
    public SearchResult highlights(String theme) {
        return askJikan(theme);
    }

    private SearchResult askJikan(String query) {
        JsonObject page = jikan.search(query, PAGE);
        return new SearchResult(
                "Jikan",
                page.getJsonArray("data").getValuesAs(JsonObject.class).stream()
                        .map(AnimeCatalog::fromJikan)
                        .toList());
    }

    @Probe("jikan")
    void askJikanForOneAnime() {
        jikan.anime(SOME_ANIME);
    }

    private static Title fromJikan(JsonObject anime) {
        return new Title(
                anime.getString("title"),
                anime.isNull("year") ? 0 : anime.getInt("year", 0),
                anime.isNull("score") ? 0 : score(anime, "score"),
                names(anime));
    }

    /** Both providers tell a score out of 10. */
    static int score(JsonObject anime, String member) {
        return anime.containsKey(member)
                ? (int) Math.round(anime.getJsonNumber(member).doubleValue() * 10)
                : 0;
    }

    static List<String> names(JsonObject anime) {
        return anime.containsKey("genres")
                ? anime.getJsonArray("genres").getValuesAs(JsonObject.class).stream()
                        .map(genre -> genre.getString("name"))
                        .toList()
                : List.of();
    }
}
