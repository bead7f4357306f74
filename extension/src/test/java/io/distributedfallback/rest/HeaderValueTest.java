package io.distributedfallback.rest;

import io.distributedfallback.Degraded.Answer;
import io.distributedfallback.Degraded.Rung;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A list of structured fields (RFC 9651), whatever breakers are called. */
class HeaderValueTest {

    private static Answer answer(String breaker, Rung rung) {
        return new Answer(breaker, rung, Optional.empty());
    }

    private static Answer kept(String breaker, Duration age) {
        return new Answer(breaker, Rung.LAST_GOOD, Optional.of(age));
    }

    private static String value(Answer... answers) {
        return HeaderValue.of(List.of(answers)).orElseThrow();
    }

    @Test
    void each_breaker_stands_there_with_its_rung_in_order() {
        assertThat(value(
                        kept("rawg", Duration.ofMillis(12_900)),
                        answer("igdb", Rung.FALLBACK),
                        answer("mail", Rung.QUEUED),
                        answer("pay", Rung.LIMITED),
                        answer("ads", Rung.UNAVAILABLE)))
                .isEqualTo("rawg;rung=last-good;age=12, igdb;rung=fallback, mail;rung=queued, pay;rung=limited,"
                        + " ads;rung=unavailable");
    }

    @Test
    void nothing_to_tell_is_no_header() {
        assertThat(HeaderValue.of(List.of())).isEmpty();
    }

    @Test
    void a_breaker_and_a_rung_stand_there_once_with_the_greatest_age() {
        assertThat(value(
                        kept("rawg", Duration.ofSeconds(3)),
                        answer("rawg", Rung.FALLBACK),
                        kept("rawg", Duration.ofSeconds(70)),
                        kept("rawg", Duration.ofSeconds(5)),
                        answer("rawg", Rung.FALLBACK)))
                .isEqualTo("rawg;rung=last-good;age=70, rawg;rung=fallback");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            value = {
                "rawg.v2/games:eu -> rawg.v2/games:eu",
                "* -> *",
                "2nd -> \"2nd\"",
                "a b -> \"a b\"",
                "a,b;c=d -> \"a,b;c=d\"",
                "say \"hi\" \\ -> \"say \\\"hi\\\" \\\\\"",
                "Größe 100% -> %\"Gr%c3%b6%c3%9fe 100%25\"",
                "\uD83C\uDFAE\"x\" -> %\"%f0%9f%8e%ae%22x%22\""
            })
    void a_name_is_a_token_or_a_string_or_a_display_string(String name, String item) {
        assertThat(value(answer(name, Rung.FALLBACK))).isEqualTo(item + ";rung=fallback");
    }

    @Test
    void no_name_whatever_it_holds_leads_out_of_the_header() {
        assertThat(value(answer("a\r\nSet-Cookie: x=1", Rung.FALLBACK)))
                .isEqualTo("%\"a%0d%0aSet-Cookie: x=1\";rung=fallback");
        Random random = new Random(6);
        for (int i = 0; i < 2000; i++) {
            StringBuilder name = new StringBuilder();
            random.ints(1 + random.nextInt(20), 0, 0x3000).forEach(c -> name.append((char) c));
            assertThat(value(answer(name.toString(), Rung.FALLBACK))).matches("[\\x20-\\x7E]+");
        }
    }

    @Test
    void it_is_never_longer_than_servers_allow_and_ends_with_a_whole_member() {
        Answer[] many = IntStream.range(0, 500)
                .mapToObj(i -> answer("breaker-" + i, Rung.FALLBACK))
                .toArray(Answer[]::new);
        assertThat(value(many)).hasSizeBetween(1900, 2000).endsWith(";rung=fallback");
    }
}
