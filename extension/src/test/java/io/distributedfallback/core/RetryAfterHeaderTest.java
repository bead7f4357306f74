package io.distributedfallback.core;

import io.distributedfallback.RetryAfter;
import io.distributedfallback.fuzz.Fuzz;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryAfterHeaderTest {

    private static final String EXAMPLE = "Sun, 06 Nov 1994 08:49:37 GMT";
    private static final Instant EXAMPLE_MOMENT = Instant.parse("1994-11-06T08:49:37Z");

    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "120, PT2M",
        "00120, PT2M",
        "' 120 ', PT2M",
        "0.64, PT1S",
        "1.0, PT1S",
        "86400, PT24H",
        "31536000, P365D",
        "31536001, P365D",
        "9223372036854775807, P365D",
        "99999999999999999999999999999999999999, P365D",
        "'60, 120, 30', PT2M",
        "'soon, 120', PT2M"
    })
    void reads_seconds(String value, Duration pause) {
        assertThat(parse(value)).contains(new RetryAfter.In(pause));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                EXAMPLE,
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "sun, 6 nov 1994 08:49:37 GMT",
                "Mon, 06 Nov 1994 08:49:37 GMT",
                EXAMPLE + ", " + EXAMPLE
            })
    void reads_dates_of_all_three_forms(String value) {
        assertThat(parse(value)).contains(new RetryAfter.At(EXAMPLE_MOMENT));
    }

    @Test
    void takes_a_year_of_two_digits_for_one_of_this_time() {
        assertThat(parse("Monday, 30-Nov-26 08:49:37 GMT"))
                .contains(new RetryAfter.At(Instant.parse("2026-11-30T08:49:37Z")));
    }

    @Test
    void reads_a_leap_second() {
        assertThat(parse("Sat, 31 Dec 2016 23:59:60 GMT"))
                .contains(new RetryAfter.At(Instant.parse("2016-12-31T23:59:59Z")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "-1",
                "-120",
                "+120",
                "1e3",
                "0x10",
                "NaN",
                "12O",
                "120s",
                "\u0661\u0662\u0660",
                "soon",
                "Sun, 06 Nov 1994",
                "Sun, 31 Feb 1994 08:49:37 GMT",
                "Sun, 06 Now 1994 08:49:37 GMT",
                "Sun, 06 ovd 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 25:49:37 GMT",
                "Sun, 06 Nov 1994 08:49:37 PST",
                "1994-11-06T08:49:37Z"
            })
    void takes_garbage_for_nothing(String value) {
        assertThat(parse(value)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'Sun, 06 Nov 1994 08:47:37 GMT', PT2M",
        "'Sunday, 06-Nov-94 08:47:37 GMT', PT2M",
        "'Sun, 06 Nov 1994 08:49:37 GMT', PT0S",
        "'Sun, 06 Nov 1994 09:49:37 GMT', PT0S",
        "'Sun, 06 Nov 1904 08:49:37 GMT', P365D"
    })
    void measures_a_date_by_the_date_of_the_answer(String date, Duration pause) {
        assertThat(RetryAfterHeader.parse(EXAMPLE, Optional.of(date))).contains(new RetryAfter.In(pause));
    }

    @Test
    void leaves_a_date_to_the_store_when_the_date_of_the_answer_is_garbage() {
        assertThat(RetryAfterHeader.parse(EXAMPLE, Optional.of("yesterday")))
                .contains(new RetryAfter.At(EXAMPLE_MOMENT));
    }

    @Test
    void is_done_quickly_with_a_header_of_a_megabyte() {
        assertThat(parse("1".repeat(1_000_000))).isEmpty();
        assertThat(parse("1,".repeat(500_000))).isEmpty();
    }

    @Test
    void never_throws_and_never_leaves_the_bounds_whatever_it_gets() {
        Fuzz.run(30_000, fuzz -> {
            String value = value(fuzz);
            Optional<String> date = fuzz.oneIn(2) ? Optional.of(value(fuzz)) : Optional.empty();
            RetryAfterHeader.parse(value, date)
                    .ifPresent(pause -> assertThat(pause)
                            .as("Retry-After [%s], Date %s", value, date)
                            .satisfies(RetryAfterHeaderTest::isWithinBounds));
        });
    }

    @Test
    void reads_every_number_of_seconds_and_takes_the_longest_of_several() {
        Fuzz.run(2_000, fuzz -> {
            int one = fuzz.below(100_000);
            int other = fuzz.below(100_000);
            assertThat(parse(one + fuzz.oneOf(",", ", ", " ,\t") + other))
                    .contains(new RetryAfter.In(Duration.ofSeconds(Math.max(one, other))));
        });
    }

    private static void isWithinBounds(RetryAfter pause) {
        if (pause instanceof RetryAfter.In in) {
            assertThat(in.delay()).isBetween(Duration.ZERO, RetryAfterHeader.LONGEST);
        } else {
            assertThat(((RetryAfter.At) pause).moment())
                    .isBetween(Instant.parse("0000-01-01T00:00:00Z"), Instant.parse("9999-12-31T23:59:59Z"));
        }
    }

    private static String value(Fuzz fuzz) {
        String right = fuzz.oneOf(
                "120",
                "-5",
                "99999999999",
                "1.5",
                EXAMPLE,
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994");
        return fuzz.oneIn(10) ? fuzz.text(20) : fuzz.mutated(right);
    }

    private static Optional<RetryAfter> parse(String value) {
        return RetryAfterHeader.parse(value, Optional.empty());
    }
}
