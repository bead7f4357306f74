package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObjectBuilder;
import java.util.List;
import java.util.Optional;

/** RAWG Video Games Database: {@code GET /api/games?search=&key=&page_size=} and {@code GET /api/games/{id}?key=}. */
final class RawgApi implements ProviderApi {

    private static final String GAMES = "/api/games";

    private final Shelf<Game> games;

    RawgApi(Shelf<Game> games) {
        this.games = games;
    }

    @Override
    public Answer answer(Question question) {
        if (question.parameter("key").isEmpty()) {
            return error(401);
        }
        if (question.path().equals(GAMES)) {
            return search(question);
        }
        return itemAsked(question)
                .flatMap(games::find)
                .map(game -> Answer.json(200, item(game).build()))
                .orElseGet(() -> error(404));
    }

    @Override
    public Answer error(int status) {
        JsonObjectBuilder body = Json.createObjectBuilder();
        switch (status) {
            case 401 -> body.add("error", "The API key is not found");
            case 404 -> body.add("detail", "Not found.");
            case 429 -> body.add("error", "The monthly API limit reached");
            default -> body.add("detail", "A server error occurred.");
        }
        return Answer.json(status, body.build());
    }

    @Override
    public Optional<Integer> itemAsked(Question question) {
        return question.idUnder(GAMES);
    }

    private Answer search(Question question) {
        List<Game> found = games.search(question.parameter("search").orElse(""));
        JsonArrayBuilder results = Json.createArrayBuilder();
        found.stream()
                .limit(question.limit("page_size", 20, 40))
                .map(RawgApi::item)
                .forEach(results::add);
        return Answer.json(
                200,
                Json.createObjectBuilder()
                        .add("count", found.size())
                        .addNull("next")
                        .addNull("previous")
                        .add("results", results)
                        .build());
    }

    private static JsonObjectBuilder item(Game game) {
        JsonArrayBuilder platforms = Json.createArrayBuilder();
        for (String platform : game.platforms()) {
            platforms.add(Json.createObjectBuilder()
                    .add("platform", named(platform))
                    .add("released_at", game.released().toString())
                    .addNull("requirements_en"));
        }
        JsonArrayBuilder genres = Json.createArrayBuilder();
        game.genres().forEach(genre -> genres.add(named(genre)));
        return Json.createObjectBuilder()
                .add("id", game.id())
                .add("slug", game.slug())
                .add("name", game.name())
                .add("released", game.released().toString())
                .add("tba", false)
                .addNull("background_image")
                .add("rating", game.score() / 20.0)
                .add("rating_top", 5)
                .add("ratings", Json.createArrayBuilder())
                .add("ratings_count", game.score() * 7)
                .add("reviews_text_count", game.score() / 10)
                .add("added", game.score() * 40)
                .add("metacritic", game.score())
                .add("playtime", 12)
                .add("suggestions_count", 100 + game.id())
                .add("updated", game.released() + "T00:00:00")
                .add("platforms", platforms)
                .add("genres", genres)
                .add("tags", Json.createArrayBuilder())
                .addNull("esrb_rating")
                .add("short_screenshots", Json.createArrayBuilder());
    }

    private static JsonObjectBuilder named(String name) {
        return Json.createObjectBuilder()
                .add("id", number(name))
                .add("name", name)
                .add("slug", Game.slug(name));
    }

    /** Some number that is always the same for a name. */
    private static int number(String name) {
        return Math.floorMod(name.hashCode(), 200) + 1;
    }
}
