package io.distributedfallback.sample.games;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.Probe;
import io.distributedfallback.sample.SearchResult;
import io.distributedfallback.sample.Title;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Games from RAWG; from IGDB while RAWG is down. All that the breaker needs to know is in the two annotations. */
@ApplicationScoped
public class GameCatalog {

    private static final int PAGE = 8;
    private static final int SOME_GAME = 1;

    @Inject
    @RestClient
    RawgClient rawg;

    @Inject
    @RestClient
    IgdbClient igdb;

    @Inject
    @ConfigProperty(name = "rawg.key")
    String rawgKey;

    @Inject
    @ConfigProperty(name = "igdb.client-id")
    String igdbClientId;

    @Inject
    @ConfigProperty(name = "igdb.token")
    String igdbToken;

    /** The primary. It may simply fail: what it throws is classified, counted, and answered by the fallback. */
    @DistributedFallback(breaker = "rawg", fallbackMethod = "searchIgdb")
    public SearchResult search(String query) {
        return askRawg(query);
    }

    /**
     * What everybody sees on the first page, and so asks for all the time. While RAWG is down, what was good two minutes
     * ago is good enough; and IGDB, which takes four questions a second and no more, is not asked more.
     */
    @DistributedFallback(breaker = "rawg", fallbackMethod = "searchIgdb")
    @LastGood(maxAge = "2m")
    @FallbackLimit(4)
    public SearchResult highlights(String theme) {
        return askRawg(theme);
    }

    private SearchResult askRawg(String query) {
        JsonObject page = rawg.search(query, PAGE, rawgKey);
        return new SearchResult(
                "RAWG",
                page.getJsonArray("results").getValuesAs(JsonObject.class).stream()
                        .map(GameCatalog::fromRawg)
                        .toList());
    }

    /** The fallback: the same parameters, the same type of answer, another provider. */
    SearchResult searchIgdb(String query) {
        String body = "search \"" + query.replace("\\", "\\\\").replace("\"", "\\\"") + "\";"
                + " fields name,first_release_date,total_rating,genres.name; limit " + PAGE + ";";
        JsonArray games = igdb.search(body, igdbClientId, "Bearer " + igdbToken);
        return new SearchResult(
                "IGDB",
                games.getValuesAs(JsonObject.class).stream()
                        .map(GameCatalog::fromIgdb)
                        .toList());
    }

    /** Asks whether RAWG is back: one small real request, on one instance at a time, and never on a visitor's time. */
    @Probe("rawg")
    void askRawgForOneGame() {
        rawg.game(SOME_GAME, rawgKey);
    }

    private static Title fromRawg(JsonObject game) {
        String released = game.getString("released", "");
        return new Title(
                game.getString("name"),
                released.isEmpty() ? 0 : Integer.parseInt(released.substring(0, 4)),
                game.getInt("metacritic", 0),
                names(game));
    }

    private static Title fromIgdb(JsonObject game) {
        return new Title(
                game.getString("name"),
                game.containsKey("first_release_date")
                        ? year(game.getJsonNumber("first_release_date").longValue())
                        : 0,
                game.containsKey("total_rating")
                        ? Math.round(
                                game.getJsonNumber("total_rating").numberValue().floatValue())
                        : 0,
                names(game));
    }

    private static int year(long epochSecond) {
        return Instant.ofEpochSecond(epochSecond).atOffset(ZoneOffset.UTC).getYear();
    }

    private static List<String> names(JsonObject game) {
        return game.containsKey("genres")
                ? game.getJsonArray("genres").getValuesAs(JsonObject.class).stream()
                        .map(genre -> genre.getString("name"))
                        .toList()
                : List.of();
    }
}
