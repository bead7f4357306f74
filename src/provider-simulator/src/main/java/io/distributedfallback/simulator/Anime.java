package io.distributedfallback.simulator;

import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.time.LocalDate;
import java.util.List;

/**
 * An anime that nobody has drawn.
 *
 * @param id the same at both providers: Jikan speaks for MyAnimeList, so it is so in reality as well
 * @param score out of 100
 */
record Anime(int id, String title, LocalDate start, int episodes, int score, String studio, List<String> genres) {

    static Anime of(JsonObject json) {
        return new Anime(
                json.getInt("id"),
                json.getString("title"),
                LocalDate.parse(json.getString("start")),
                json.getInt("episodes"),
                json.getInt("score"),
                json.getString("studio"),
                json.getJsonArray("genres").getValuesAs(JsonString::getString));
    }

    /** Films have one episode. */
    boolean film() {
        return episodes == 1;
    }

    String season() {
        return List.of("winter", "spring", "summer", "fall").get((start.getMonthValue() - 1) / 3);
    }
}
