package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The answers of healthy providers, in the words of their public documentation. */
class ProviderShapesTest {

    private final RawgApi rawg = new RawgApi(Shelf.games());
    private final IgdbApi igdb = new IgdbApi(Shelf.games());
    private final JikanApi jikan = new JikanApi(Shelf.anime());
    private final MyAnimeListApi mal = new MyAnimeListApi(Shelf.anime());
    private final SendGridApi sendgrid = new SendGridApi();

    @Test
    void rawg_tells_a_page_of_games_with_their_platforms() {
        JsonObject page = object(rawg.answer(get("/api/games", Map.of("search", "MOON tram", "key", "k"))), 200);

        assertThat(page.getInt("count")).isEqualTo(1);
        assertThat(page.isNull("next")).isTrue();
        JsonObject game = page.getJsonArray("results").getJsonObject(0);
        assertThat(game.getString("name")).isEqualTo("The Last Moon Tram");
        assertThat(game.getString("released")).isEqualTo("2023-11-21");
        assertThat(game.getJsonNumber("rating").doubleValue()).isEqualTo(4.4);
        assertThat(game.getJsonArray("platforms")
                        .getJsonObject(0)
                        .getJsonObject("platform")
                        .getString("slug"))
                .isEqualTo("pc");
    }

    @Test
    void rawg_counts_all_matches_but_tells_no_more_than_the_page_holds() {
        JsonObject page =
                object(rawg.answer(get("/api/games", Map.of("search", "moon", "key", "k", "page_size", "2"))), 200);

        assertThat(page.getInt("count")).isEqualTo(5);
        assertThat(page.getJsonArray("results")).hasSize(2);
    }

    @Test
    void rawg_wants_a_key() {
        assertThat(object(rawg.answer(get("/api/games", Map.of("search", "moon"))), 401)
                        .getString("error"))
                .isEqualTo("The API key is not found");
    }

    @Test
    void rawg_does_not_know_a_game_that_is_not_there() {
        assertThat(object(rawg.answer(get("/api/games/999", Map.of("key", "k"))), 404)
                        .getString("detail"))
                .isEqualTo("Not found.");
    }

    @Test
    void sendgrid_takes_a_mail_and_says_no_more_than_that() {
        Answer answer = sendgrid.answer(mail("Bearer key", "{\"personalizations\":[],\"from\":{},\"subject\":\"s\"}"));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void sendgrid_wants_a_key_and_a_mail() {
        assertThat(object(sendgrid.answer(mail("", "{}")), 401).getJsonArray("errors"))
                .hasSize(1);
        assertThat(sendgrid.answer(mail("Bearer key", "no mail")).status()).isEqualTo(400);
        assertThat(sendgrid.answer(mail("Bearer key", "{}")).status()).isEqualTo(400);
    }

    @Test
    void sendgrid_tells_a_probe_what_the_key_may_do() {
        Question scopes = new Question("GET", "/v3/scopes", Map.of(), Map.of("Authorization", "Bearer key"), "");

        assertThat(object(sendgrid.answer(scopes), 200).getJsonArray("scopes")).hasSize(1);
        assertThat(sendgrid.itemAsked(scopes)).isPresent();
        assertThat(sendgrid.itemAsked(mail("Bearer key", "{}"))).isEmpty();
    }

    private static Question mail(String authorization, String body) {
        return new Question("POST", "/v3/mail/send", Map.of(), Map.of("Authorization", authorization), body);
    }

    @Test
    void igdb_tells_of_a_game_only_what_it_is_asked_for() {
        JsonArray games = array(
                igdb.answer(query("search \"star ferry\"; fields name,first_release_date,genres.name; limit 5;")), 200);

        JsonObject game = games.getJsonObject(0);
        assertThat(game.keySet()).containsExactlyInAnyOrder("id", "name", "first_release_date", "genres");
        assertThat(game.getJsonNumber("first_release_date").longValue()).isEqualTo(1_570_492_800L);
        assertThat(game.getJsonArray("genres").getJsonObject(0).getString("name"))
                .isEqualTo("Strategy");
    }

    @Test
    void igdb_lists_ids_where_no_names_are_asked_for() {
        JsonObject game =
                array(igdb.answer(query("fields genres; where id = 8;")), 200).getJsonObject(0);

        assertThat(game.getJsonArray("genres"))
                .hasSize(2)
                .allSatisfy(id -> assertThat(id.toString()).matches("\\d+"));
    }

    @Test
    void igdb_looks_for_what_stands_in_quotes_whatever_it_is() {
        assertThat(array(igdb.answer(query("search \"a; \\\"b\\\"\"; fields name;")), 200))
                .isEmpty();
    }

    @Test
    void igdb_refuses_a_query_that_it_cannot_read() {
        JsonObject error =
                array(igdb.answer(query("search \"moon\" fields name;")), 400).getJsonObject(0);

        assertThat(error.getString("title")).isEqualTo("Syntax Error");
        assertThat(error.getInt("status")).isEqualTo(400);
    }

    @Test
    void igdb_wants_both_the_client_id_and_a_bearer_token() {
        assertThat(igdb.answer(question("POST", "/v4/games", Map.of(), Map.of("Client-ID", "c"), ""))
                        .status())
                .isEqualTo(401);
        assertThat(igdb.answer(question(
                                "POST",
                                "/v4/games",
                                Map.of(),
                                Map.of("client-id", "c", "Authorization", "Basic abc"),
                                ""))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void jikan_tells_a_page_of_anime_and_needs_no_key() {
        JsonObject page = object(jikan.answer(get("/v4/anime", Map.of("q", "nights", "limit", "5"))), 200);

        assertThat(page.getJsonObject("pagination").getJsonObject("items").getInt("total"))
                .isEqualTo(1);
        JsonObject anime = page.getJsonArray("data").getJsonObject(0);
        assertThat(anime.getString("title")).isEqualTo("Ninety Nights to the Moon");
        assertThat(anime.getString("type")).isEqualTo("Movie");
        assertThat(anime.getString("season")).isEqualTo("fall");
        assertThat(anime.getJsonObject("aired").getString("from")).isEqualTo("2020-12-11T00:00:00+00:00");
    }

    @Test
    void jikan_tells_one_anime_as_data() {
        assertThat(object(jikan.answer(get("/v4/anime/7", Map.of())), 200)
                        .getJsonObject("data")
                        .getInt("mal_id"))
                .isEqualTo(7);
    }

    @Test
    void my_anime_list_wraps_each_anime_in_a_node() {
        Answer answer = mal.answer(question(
                "GET",
                "/v2/anime",
                Map.of("q", "iron", "fields", "mean,num_episodes"),
                Map.of("X-MAL-CLIENT-ID", "c"),
                ""));

        JsonObject node =
                object(answer, 200).getJsonArray("data").getJsonObject(0).getJsonObject("node");
        assertThat(node.keySet()).containsExactlyInAnyOrder("id", "title", "mean", "num_episodes");
    }

    @Test
    void my_anime_list_wants_a_client_id_and_three_characters() {
        assertThat(mal.answer(get("/v2/anime", Map.of("q", "iron"))).status()).isEqualTo(401);
        assertThat(mal.answer(question("GET", "/v2/anime", Map.of("q", "ir"), Map.of("x-mal-client-id", "c"), ""))
                        .status())
                .isEqualTo(400);
    }

    private static Question get(String path, Map<String, String> parameters) {
        return question("GET", path, parameters, Map.of(), "");
    }

    private static Question query(String body) {
        return question("POST", "/v4/games", Map.of(), Map.of("Client-ID", "c", "Authorization", "Bearer t"), body);
    }

    private static Question question(
            String method, String path, Map<String, String> parameters, Map<String, String> headers, String body) {
        Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        anyCase.putAll(headers);
        return new Question(method, path, parameters, anyCase, body);
    }

    private static JsonObject object(Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        return Json.createReader(new StringReader(answer.body())).readObject();
    }

    private static JsonArray array(Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        return Json.createReader(new StringReader(answer.body())).readArray();
    }
}
