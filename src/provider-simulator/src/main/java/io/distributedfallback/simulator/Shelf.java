package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** A few works to search in. Immutable. */
final class Shelf<T> {

    private final List<T> works;
    private final ToIntFunction<T> id;
    private final Function<T, String> title;

    private Shelf(List<T> works, ToIntFunction<T> id, Function<T, String> title) {
        this.works = works;
        this.id = id;
        this.title = title;
    }

    static Shelf<Game> games() {
        return new Shelf<>(read("games.json", Game::of), Game::id, Game::name);
    }

    static Shelf<Anime> anime() {
        return new Shelf<>(read("anime.json", Anime::of), Anime::id, Anime::title);
    }

    /** The works whose title holds each word of the query; all of them for an empty one, as the real providers do. */
    List<T> search(String query) {
        List<String> words = Arrays.stream(
                        query.strip().toLowerCase(Locale.ROOT).split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
        return works.stream()
                .filter(work -> words.stream().allMatch(title.apply(work).toLowerCase(Locale.ROOT)::contains))
                .toList();
    }

    Optional<T> find(int wanted) {
        return works.stream().filter(work -> id.applyAsInt(work) == wanted).findFirst();
    }

    private static <T> List<T> read(String resource, Function<JsonObject, T> form) {
        InputStream stream = Objects.requireNonNull(Shelf.class.getResourceAsStream(resource), resource);
        try (JsonReader reader = Json.createReader(stream)) {
            return reader.readArray().getValuesAs(JsonObject.class).stream()
                    .map(form)
                    .toList();
        }
    }
}
