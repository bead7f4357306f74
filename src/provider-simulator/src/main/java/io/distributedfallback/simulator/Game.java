package io.distributedfallback.simulator;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/**
 * A game that nobody has made.
 *
 * @param id the same at both providers, to keep the simulation small
 * @param score out of 100
 */
record Game(int id, String name, LocalDate released, int score, List<String> genres, List<String> platforms) {

    static Game of(JsonObject json) {
        return new Game(
                json.getInt("id"),
                json.getString("name"),
                LocalDate.parse(json.getString("released")),
                json.getInt("score"),
                json.getJsonArray("genres").getValuesAs(JsonString::getString),
                json.getJsonArray("platforms").getValuesAs(JsonString::getString));
    }

    String slug() {
        return slug(name);
    }

    static String slug(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
