package io.distributedfallback.rest;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.FallbackLimitedException;
import jakarta.annotation.Priority;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a caller over HTTP gets who was kept away. */
class MappersTest {

    @ParameterizedTest
    @CsvSource({"PT0S, 1", "PT0.001S, 1", "PT1S, 1", "PT1.000000001S, 2", "PT59.5S, 60", "PT1H, 3600", "PT-5S, 1"})
    void retry_after_is_in_whole_seconds_rounded_up_and_at_least_one(Duration retryAfter, String seconds) {
        try (Response response = new FallbackLimitedMapper()
                .toResponse(new FallbackLimitedException("rawg", "igdb", retryAfter, "secret"))) {
            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(response.getHeaderString("Retry-After")).isEqualTo(seconds);
        }
    }

    @Test
    void a_time_that_never_comes_is_no_overflow() {
        Duration never = ChronoUnit.FOREVER.getDuration();
        try (Response response =
                new BreakerOpenMapper().toResponse(new BreakerOpenException("rawg", never, "until cleared"))) {
            assertThat(response.getHeaderString("Retry-After")).isEqualTo(String.valueOf(Long.MAX_VALUE));
        }
    }

    @Test
    void the_body_is_a_problem_that_tells_nothing_of_what_is_behind() {
        try (Response response = new BreakerOpenMapper()
                .toResponse(new BreakerOpenException("rawg", Duration.ofSeconds(7), "password=secret"))) {
            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(response.getHeaderString("Cache-Control")).isEqualTo("no-store");
            assertThat(response.getMediaType()).hasToString("application/problem+json");
            assertThat(response.getEntity())
                    .isEqualTo(
                            "{\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"Try again in 7 seconds.\"}");
        }
    }

    @Test
    void a_mapper_of_the_application_goes_first() {
        assertThat(FallbackLimitedMapper.class.getAnnotation(Priority.class).value())
                .isEqualTo(BreakerOpenMapper.class.getAnnotation(Priority.class).value())
                .isGreaterThan(Priorities.USER);
    }
}
