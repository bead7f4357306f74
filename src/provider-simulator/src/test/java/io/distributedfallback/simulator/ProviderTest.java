package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ProviderTest {

    private static final Question SEARCH = new Question("GET", "/v4/anime", Map.of("q", "moon"), Map.of(), "");
    private static final Question LOOKUP = new Question("GET", "/v4/anime/1", Map.of(), Map.of(), "");

    private final Provider jikan = new Provider("jikan", new JikanApi(Shelf.anime()));

    @Test
    void is_healthy_until_told_otherwise() {
        assertThat(jikan.ask(SEARCH)).hasValueSatisfying(reply -> {
            assertThat(reply.answer().status()).isEqualTo(200);
            assertThat(reply.delay()).isZero();
        });
    }

    @Test
    void answers_correctly_but_late_when_slow() {
        jikan.become(condition("{\"condition\":\"slow\",\"delayMillis\":2500}"));

        assertThat(jikan.ask(SEARCH)).hasValueSatisfying(reply -> {
            assertThat(reply.answer().status()).isEqualTo(200);
            assertThat(reply.delay()).isEqualTo(Duration.ofMillis(2500));
        });
    }

    @Test
    void words_a_server_error_as_its_api_does() {
        jikan.become(condition("{\"condition\":\"failing\",\"status\":503}"));

        Answer answer = jikan.ask(SEARCH).orElseThrow().answer();
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body()).contains("UpstreamException");
    }

    @Test
    void answers_522_with_the_text_of_the_network_in_front_of_it() {
        jikan.become(condition("{\"condition\":\"failing\",\"status\":522}"));

        assertThat(jikan.ask(SEARCH)).map(Reply::answer).hasValue(Answer.text(522, "error code: 522"));
    }

    @Test
    void says_when_to_come_back_when_it_throttles() {
        jikan.become(condition("{\"condition\":\"throttled\",\"retryAfterSeconds\":7}"));

        Answer answer = jikan.ask(SEARCH).orElseThrow().answer();
        assertThat(answer.status()).isEqualTo(429);
        assertThat(answer.headers()).containsEntry("Retry-After", "7");
    }

    @Test
    void refuses_whatever_the_key_when_unauthorized() {
        jikan.become(condition("{\"condition\":\"unauthorized\"}"));

        assertThat(jikan.ask(SEARCH).orElseThrow().answer().status()).isEqualTo(401);
    }

    @Test
    void has_no_answer_when_gone() {
        jikan.become(condition("{\"condition\":\"gone\"}"));

        assertThat(jikan.ask(SEARCH)).isEmpty();
    }

    @Test
    void tells_visitors_from_probes_even_while_gone() {
        jikan.become(Condition.gone());
        jikan.ask(SEARCH);
        jikan.ask(SEARCH);
        jikan.ask(LOOKUP);

        JsonObject told = jikan.toJson().build();
        assertThat(told.getInt("searches")).isEqualTo(2);
        assertThat(told.getInt("lookups")).isEqualTo(1);
        assertThat(told.getString("condition")).isEqualTo("gone");
    }

    @Test
    void keeps_its_counters_when_it_recovers_and_loses_them_when_reset() {
        jikan.become(Condition.gone());
        jikan.ask(SEARCH);

        jikan.become(Condition.HEALTHY);
        assertThat(jikan.toJson().build().getInt("searches")).isEqualTo(1);

        jikan.reset();
        assertThat(jikan.toJson().build().getInt("searches")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"condition\":\"ill\"}",
                "{\"condition\":\"failing\",\"status\":404}",
                "{\"condition\":\"failing\",\"status\":\"503\"}",
                "{\"condition\":\"slow\",\"delayMillis\":0}",
                "{\"condition\":\"slow\",\"delayMillis\":60001}",
                "{\"condition\":\"slow\",\"delayMillis\":1.5}",
                "{\"condition\":\"throttled\",\"retryAfterSeconds\":-1}"
            })
    void refuses_a_condition_that_makes_no_sense(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> condition(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"condition\":\"healthy\"}",
                "{\"condition\":\"slow\",\"delayMillis\":250}",
                "{\"condition\":\"failing\",\"status\":522}",
                "{\"condition\":\"throttled\",\"retryAfterSeconds\":30}",
                "{\"condition\":\"unauthorized\"}",
                "{\"condition\":\"gone\"}"
            })
    void tells_a_condition_in_the_form_in_which_it_is_told_one(String json) {
        assertThat(condition(json).toJson().build()).isEqualTo(object(json));
    }

    private static Condition condition(String json) {
        return Condition.of(object(json));
    }

    private static JsonObject object(String json) {
        return Json.createReader(new StringReader(json)).readObject();
    }
}
