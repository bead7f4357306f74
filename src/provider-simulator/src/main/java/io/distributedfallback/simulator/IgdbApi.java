package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * IGDB: {@code POST /v4/games} with a query in the body ({@link Apicalypse}), the header {@code Client-ID} and a bearer
 * token. What the query's {@code fields} do not name is not told; a list is of ids unless its {@code .name} is asked for.
 */
final class IgdbApi implements ProviderApi {

    private static final String GAMES = "/v4/games";

    private final Shelf<Game> games;

    IgdbApi(Shelf<Game> games) {
        this.games = games;
    }

    @Override
    public Answer answer(Question question) {
        if (question.header("Client-ID").isEmpty()
                || !question.header("Authorization").orElse("").matches("Bearer \\S+")) {
            return error(401);
        }
        if (!question.path().equals(GAMES)) {
            return error(404);
        }
        if (!question.method().equals("POST")) {
            return error(405);
        }
        try {
            return search(Apicalypse.parse(question.body()));
        } catch (Apicalypse.SyntaxError e) {
            return syntaxError(e.getMessage());
        }
    }

    @Override
    public Answer error(int status) {
        JsonObjectBuilder body = Json.createObjectBuilder();
        switch (status) {
            case 401 ->
                body.add("message", "Authorization Failure. Have you tried:")
                        .add("Tip 1", "Sending the headers Authorization and Client-ID.")
                        .add("Tip 2", "Beginning the value of Authorization with 'Bearer ', the space included.")
                        .add("Tip 3", "Ending it with the app access token, not with the client secret.");
            case 404 -> body.add("message", "Not Found");
            case 405 -> body.add("message", "Method Not Allowed");
            case 429 -> body.add("message", "Too Many Requests");
            default -> body.add("message", "Internal server error");
        }
        return Answer.json(status, body.build());
    }

    @Override
    public Optional<Integer> itemAsked(Question question) {
        try {
            return Apicalypse.parse(question.body()).id();
        } catch (Apicalypse.SyntaxError e) {
            return Optional.empty();
        }
    }

    private Answer search(Apicalypse query) {
        List<Game> found =
                query.id().map(id -> games.find(id).stream().toList()).orElseGet(() -> games.search(query.search()));
        JsonArrayBuilder items = Json.createArrayBuilder();
        found.stream().limit(query.limit()).map(game -> item(game, query)).forEach(items::add);
        return Answer.json(200, items.build());
    }

    private static JsonObjectBuilder item(Game game, Apicalypse query) {
        JsonObjectBuilder json = Json.createObjectBuilder().add("id", game.id());
        if (query.fields().contains("name")) {
            json.add("name", game.name());
        }
        if (query.fields().contains("slug")) {
            json.add("slug", game.slug());
        }
        if (query.fields().contains("first_release_date")) {
            json.add("first_release_date", game.released().toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC));
        }
        if (query.fields().contains("total_rating")) {
            json.add("total_rating", (double) game.score());
        }
        addList(json, query, "genres", game.genres());
        addList(json, query, "platforms", game.platforms());
        return json;
    }

    private static void addList(JsonObjectBuilder json, Apicalypse query, String field, List<String> names) {
        boolean expanded = query.fields().contains(field + ".name");
        if (!expanded && !query.fields().contains(field)) {
            return;
        }
        JsonArrayBuilder list = Json.createArrayBuilder();
        for (String name : names) {
            int id = Math.floorMod(name.hashCode(), 100) + 1;
            if (expanded) {
                list.add(Json.createObjectBuilder().add("id", id).add("name", name));
            } else {
                list.add(id);
            }
        }
        json.add(field, list);
    }

    private static Answer syntaxError(String cause) {
        return Answer.json(
                400,
                Json.createArrayBuilder()
                        .add(Json.createObjectBuilder()
                                .add("title", "Syntax Error")
                                .add("status", 400)
                                .add("cause", cause))
                        .build());
    }
}
