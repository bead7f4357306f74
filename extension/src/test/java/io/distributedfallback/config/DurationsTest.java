package io.distributedfallback.config;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "1ms, PT0.001S",
        "250ms, PT0.25S",
        "15s, PT15S",
        "5m, PT5M",
        "1h, PT1H",
        "8760h, P365D",
        "PT15S, PT15S",
        "pt0.5s, PT0.5S",
        "P1D, PT24H"
    })
    void reads_numbers_with_units_and_iso_8601(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
        assertThat(Durations.parseOrOff(text)).contains(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "15",
                "s",
                "15 s",
                "15S",
                "15sec",
                "1.5s",
                "1us",
                "1d",
                "1h30m",
                "off",
                "-5s",
                "-PT5S",
                "0s",
                "PT0S",
                "PT0.0001S",
                "366h1d",
                "8761h",
                "P366D",
                "999999999999999999h",
                "9999999999999999999999ms",
                "PT9223372036854775807S",
                "PT99999999999999999999S"
            })
    void refuses_all_else(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text));
    }

    @Test
    void takes_off_for_nothing_where_it_may_be() {
        assertThat(Durations.parseOrOff("off")).isEmpty();
        assertThat(Durations.parseOrOff("OFF")).isEmpty();
    }
}
