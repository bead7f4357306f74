package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** Jikan 4, the open window on MyAnimeList: {@code GET /v4/anime?q=&limit=} and {@code GET /v4/anime/{id}}. No key. */
final class JikanApi implements ProviderApi {

    private static final String ANIME = "/v4/anime";
    private static final int PAGE = 25;

    private final Shelf<Anime> anime;

    JikanApi(Shelf<Anime> anime) {
        this.anime = anime;
    }

    @Override
    public Answer answer(Question question) {
        if (question.path().equals(ANIME)) {
            return search(question);
        }
        return itemAsked(question)
                .flatMap(anime::find)
                .map(found -> Answer.json(
                        200, Json.createObjectBuilder().add("data", item(found)).build()))
                .orElseGet(() -> error(404));
    }

    @Override
    public Answer error(int status) {
        return switch (status) {
            case 401 -> error(status, "HttpException", "Unauthorized");
            case 404 -> error(status, "BadResponseException", "Resource does not exist");
            case 429 -> error(status, "RateLimitException", "You are being rate-limited");
            default -> error(status, "UpstreamException", "MyAnimeList could not be reached");
        };
    }

    @Override
    public Optional<Integer> itemAsked(Question question) {
        return question.idUnder(ANIME);
    }

    private Answer search(Question question) {
        List<Anime> found = anime.search(question.parameter("q").orElse(""));
        int limit = question.limit("limit", PAGE, PAGE);
        JsonArrayBuilder data = Json.createArrayBuilder();
        found.stream().limit(limit).map(JikanApi::item).forEach(data::add);
        JsonObjectBuilder pagination = Json.createObjectBuilder()
                .add("last_visible_page", Math.max(1, (found.size() + limit - 1) / limit))
                .add("has_next_page", found.size() > limit)
                .add("current_page", 1)
                .add(
                        "items",
                        Json.createObjectBuilder()
                                .add("count", Math.min(found.size(), limit))
                                .add("total", found.size())
                                .add("per_page", limit));
        return Answer.json(
                200,
                Json.createObjectBuilder()
                        .add("pagination", pagination)
                        .add("data", data)
                        .build());
    }

    private static Answer error(int status, String type, String message) {
        return Answer.json(
                status,
                Json.createObjectBuilder()
                        .add("status", status)
                        .add("type", type)
                        .add("message", message)
                        .addNull("error")
                        .build());
    }

    private static JsonObjectBuilder item(Anime anime) {
        JsonArrayBuilder genres = Json.createArrayBuilder();
        anime.genres().forEach(genre -> genres.add(named("anime", genre)));
        return Json.createObjectBuilder()
                .add("mal_id", anime.id())
                .add("url", "https://myanimelist.net/anime/" + anime.id())
                .add("images", Json.createObjectBuilder())
                .add("approved", true)
                .add(
                        "titles",
                        Json.createArrayBuilder()
                                .add(Json.createObjectBuilder()
                                        .add("type", "Default")
                                        .add("title", anime.title())))
                .add("title", anime.title())
                .add("title_english", anime.title())
                .addNull("title_japanese")
                .add("type", anime.film() ? "Movie" : "TV")
                .add("source", "Original")
                .add("episodes", anime.episodes())
                .add("status", "Finished Airing")
                .add("airing", false)
                .add("aired", aired(anime.start()))
                .add("duration", anime.film() ? "1 hr 40 min" : "24 min per ep")
                .add("rating", "PG-13 - Teens 13 or older")
                .add("score", anime.score() / 10.0)
                .add("scored_by", anime.score() * 1_000)
                .add("rank", anime.id())
                .add("popularity", anime.id())
                .add("members", anime.score() * 2_000)
                .addNull("synopsis")
                .add("season", anime.season())
                .add("year", anime.start().getYear())
                .add("studios", Json.createArrayBuilder().add(named("anime", anime.studio())))
                .add("genres", genres);
    }

    private static JsonObjectBuilder aired(LocalDate start) {
        return Json.createObjectBuilder()
                .add("from", start + "T00:00:00+00:00")
                .addNull("to")
                .add("string", start.toString());
    }

    private static JsonObjectBuilder named(String type, String name) {
        return Json.createObjectBuilder()
                .add("mal_id", Math.floorMod(name.hashCode(), 100) + 1)
                .add("type", type)
                .add("name", name)
                .add("url", "https://myanimelist.net/anime");
    }
}
