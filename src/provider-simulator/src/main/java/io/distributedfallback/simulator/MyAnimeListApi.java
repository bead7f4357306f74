package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.Optional;
import java.util.Set;

/**
 * MyAnimeList 2: {@code GET /v2/anime?q=&limit=&fields=} and {@code GET /v2/anime/{id}}, with the header
 * {@code X-MAL-CLIENT-ID}. Tells id and title unless {@code fields} asks for more; refuses queries under 3 characters.
 */
final class MyAnimeListApi implements ProviderApi {

    private static final String ANIME = "/v2/anime";
    private static final int SHORTEST_QUERY = 3;

    private final Shelf<Anime> anime;

    MyAnimeListApi(Shelf<Anime> anime) {
        this.anime = anime;
    }

    @Override
    public Answer answer(Question question) {
        if (question.header("X-MAL-CLIENT-ID").isEmpty()
                && question.header("Authorization").isEmpty()) {
            return error(401);
        }
        Set<String> fields = Set.of(question.parameter("fields").orElse("").split("\\s*,\\s*"));
        if (question.path().equals(ANIME)) {
            return search(question, fields);
        }
        return itemAsked(question)
                .flatMap(anime::find)
                .map(found -> Answer.json(200, node(found, fields).build()))
                .orElseGet(() -> error(404));
    }

    @Override
    public Answer error(int status) {
        return switch (status) {
            case 400 -> error(status, "bad_request", "invalid q");
            case 401 -> error(status, "invalid_token", "token is invalid");
            case 404 -> error(status, "not_found", "");
            case 429 -> error(status, "too_many_requests", "");
            default -> error(status, "internal_error", "");
        };
    }

    @Override
    public Optional<Integer> itemAsked(Question question) {
        return question.idUnder(ANIME);
    }

    private Answer search(Question question, Set<String> fields) {
        String query = question.parameter("q").orElse("");
        if (query.length() < SHORTEST_QUERY) {
            return error(400);
        }
        JsonArrayBuilder data = Json.createArrayBuilder();
        anime.search(query).stream()
                .limit(question.limit("limit", 100, 100))
                .forEach(found -> data.add(Json.createObjectBuilder().add("node", node(found, fields))));
        return Answer.json(
                200,
                Json.createObjectBuilder()
                        .add("data", data)
                        .add("paging", Json.createObjectBuilder())
                        .build());
    }

    private static Answer error(int status, String error, String message) {
        return Answer.json(
                status,
                Json.createObjectBuilder()
                        .add("error", error)
                        .add("message", message)
                        .build());
    }

    private static JsonObjectBuilder node(Anime anime, Set<String> fields) {
        JsonObjectBuilder json =
                Json.createObjectBuilder().add("id", anime.id()).add("title", anime.title());
        if (fields.contains("start_date")) {
            json.add("start_date", anime.start().toString());
        }
        if (fields.contains("mean")) {
            json.add("mean", anime.score() / 10.0);
        }
        if (fields.contains("media_type")) {
            json.add("media_type", anime.film() ? "movie" : "tv");
        }
        if (fields.contains("num_episodes")) {
            json.add("num_episodes", anime.episodes());
        }
        if (fields.contains("genres")) {
            json.add("genres", named(anime.genres()));
        }
        if (fields.contains("studios")) {
            json.add("studios", named(Set.of(anime.studio())));
        }
        return json;
    }

    private static JsonArrayBuilder named(Iterable<String> names) {
        JsonArrayBuilder list = Json.createArrayBuilder();
        for (String name : names) {
            list.add(Json.createObjectBuilder()
                    .add("id", Math.floorMod(name.hashCode(), 100) + 1)
                    .add("name", name));
        }
        return list;
    }
}
