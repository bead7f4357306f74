package io.distributedfallback.config;

import io.distributedfallback.core.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

/** The key {@code degraded-header}. */
class DegradedHeaderKeyTest {

    private final List<Problem> problems = new ArrayList<>();

    private Optional<String> read(String value) {
        return configuration("distributed-fallback.degraded-header", value).degradedHeader(problems::add);
    }

    @Test
    void is_off_unless_it_is_set() {
        assertThat(configuration().degradedHeader(problems::add)).isEmpty();
        assertThat(read("off")).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void is_the_name_of_a_header() {
        assertThat(read("Degraded")).contains("Degraded");
        assertThat(read("X-Degraded_1")).contains("X-Degraded_1");
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "De graded",
                "Degraded:",
                "Degraded\r\nX",
                "Größe",
                "Content-Length",
                "set-cookie",
                "Transfer-Encoding",
                "Access-Control-Allow-Origin",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
            })
    void is_no_other_text_and_no_header_that_has_a_meaning(String value) {
        assertThat(read(value)).isEmpty();
        assertThat(problems).singleElement().asString().contains("DFB201", "degraded-header");
    }
}
