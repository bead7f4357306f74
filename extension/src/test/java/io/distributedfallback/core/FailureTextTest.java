package io.distributedfallback.core;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailureTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET https://api.example.com/games?key=S3CRET&q=zelda failed",
                "GET https://api.example.com/games?S3CRET failed",
                "https://joe:S3CRET@api.example.com/games",
                "https://joe:p@S3CRET@api.example.com/games is gone",
                "cannot reach <http://joe:S3CRET@h/>, tried jdbc:postgresql://h/db?user=joe&password=S3CRET twice",
                "/games?api_key=S3CRET -> 500",
                "Authorization: Bearer S3CRET",
                "authorization=Basic S3CRET",
                "Proxy-Authorization: Digest username=\"joe\", response=\"S3CRET\"",
                "{\"Authorization\": \"Token S3CRET\"}",
                "sent Bearer S3CRET.abc-DEF_0",
                "api_key=S3CRET",
                "X-Api-Key: S3CRET",
                "apikey: 'S3CRET'",
                "access_token=S3CRET&expires=1",
                "{\"access_token\":\"S3CRET\",\"expires\":1}",
                "{\"client_secret\" : \"S3CRET with spaces\"}",
                "password = S3CRET",
                "PASSWORD=S3CRET;user=joe",
                "https://h/cb#access_token=S3CRET",
                "https://joe:p/S3CRET@api.example.com/games",
                "redis://joe:p?S3CRET@h:6379/0",
                "AccountName=joe;AccountKey=S3CRET==;EndpointSuffix=core.windows.net",
                "SharedAccessKey=S3CRET",
                "{\"accessKey\": \"S3CRET\"}",
                "Ocp-Apim-Subscription-Key: S3CRET",
                "x-functions-key: S3CRET",
                "dbPassword=S3CRET",
                "Set-Cookie: SESSION=S3CRET; Path=/",
                "Cookie: a=1; sid=S3CRET"
            })
    void masks_secrets(String text) {
        assertThat(FailureText.clean(text)).doesNotContain("S3CRET").contains("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP 500 Internal Server Error",
                "java.net.ConnectException: Connection refused",
                "Connect to api.example.com:443 [api.example.com/192.0.2.1] failed: Read timed out",
                "GET https://api.example.com/games/42 answered 502",
                "Unexpected token < in JSON at position 0",
                "Basic authentication is required",
                "ERROR: duplicate key value violates unique constraint \"pk\" Detail: Key (id)=(5) already exists.",
                "What? Really?",
                "https://h:8443/users/@joe is gone",
                "https://h/users/joe@example.com is gone",
                "Cookies are not accepted",
                "Grüße, 日本語 and 🎮"
            })
    void leaves_harmless_texts_alone(String text) {
        assertThat(FailureText.clean(text)).isEqualTo(text);
    }

    @Test
    void keeps_what_helps_around_a_secret() {
        assertThat(FailureText.clean("GET https://joe:pw@api.example.com/games?key=1 failed with 500"))
                .isEqualTo("GET https://***@api.example.com/games?*** failed with 500");
    }

    @ParameterizedTest
    @CsvSource({
        "'two\nlines', two lines",
        "'a\r\nforged line', 'a  forged line'",
        "'tab\there', tab here",
        "'\u001b[31mred', ' [31mred'",
        "'null\u0000byte', null byte",
        "'\u202Eright to left', ' right to left'",
        "'\u2066isolate\u2069', ' isolate '",
        "'zero\u200Bwidth', zero width",
        "'line\u2028separator', line separator",
        "'half \uD83C pair', half   pair"
    })
    void makes_one_plain_line(String text, String line) {
        assertThat(FailureText.clean(text)).isEqualTo(line);
    }

    @Test
    void is_never_longer_than_the_limit_and_says_where_it_was_cut() {
        assertThat(FailureText.clean("x".repeat(FailureText.LONGEST))).hasSize(FailureText.LONGEST);
        assertThat(FailureText.clean("x".repeat(FailureText.LONGEST + 1)))
                .hasSize(FailureText.LONGEST)
                .endsWith("x…");
    }

    @Test
    void cuts_no_character_in_half() {
        String text = "x".repeat(FailureText.LONGEST - 2) + "🎮🎮";
        assertThat(FailureText.clean(text)).isEqualTo("x".repeat(FailureText.LONGEST - 2) + "…");
    }

    @Test
    void gives_away_no_half_of_a_secret_that_goes_beyond_what_is_read() {
        String secret = "S3CRET".repeat(1_000);
        assertThat(FailureText.clean("see https://joe:" + secret + "@h/")).doesNotContain("S3CRET");
        assertThat(FailureText.clean("https://joe:" + secret + "@h/")).doesNotContain("S3CRET");
        assertThat(FailureText.clean("password=" + secret)).doesNotContain("S3CRET");
    }

    @Test
    void names_the_type_of_a_failure_and_its_message_if_it_has_one() {
        assertThat(FailureText.of(new IllegalStateException("gone"))).isEqualTo("IllegalStateException: gone");
        assertThat(FailureText.of(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(FailureText.of(new IllegalStateException(" "))).isEqualTo("IllegalStateException");
        assertThat(FailureText.of(new Nested())).isEqualTo("FailureTextTest.Nested");
        assertThat(FailureText.of(new IllegalStateException("anonymous") {})).isEqualTo("FailureTextTest.1: anonymous");
    }

    @Test
    void survives_a_failure_that_fails_to_say_what_it_is() {
        Throwable rude = new RuntimeException() {
            @Override
            public String getMessage() {
                throw new IllegalStateException();
            }
        };
        assertThat(FailureText.of(rude)).startsWith("FailureTextTest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "://",
                "?a=",
                "a.",
                "token",
                "authorization",
                "Bearer ",
                "\"",
                "key=",
                "api_",
                "secret_",
                " ",
                "_-"
            })
    void is_done_quickly_with_texts_made_to_be_slow(String part) {
        Assertions.assertTimeout(
                Duration.ofSeconds(2),
                () -> assertThat(FailureText.clean(part.repeat(1_000_000 / part.length())))
                        .hasSizeLessThanOrEqualTo(FailureText.LONGEST));
    }

    @Test
    void keeps_its_promises_whatever_it_gets() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(700); length > 0; length--) {
                text.append((char) (random.nextInt(3) == 0 ? random.nextInt(0x10000) : random.nextInt(0x80)));
            }
            assertThat(FailureText.clean(text.toString()))
                    .as("seed %d", seed)
                    .hasSizeLessThanOrEqualTo(FailureText.LONGEST)
                    .satisfies(line -> assertThat(line.codePoints().allMatch(Visible::isPlain))
                            .isTrue());
        }
    }

    private static final class Nested extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
