package io.distributedfallback.core;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class BreakerNameTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rawg",
                "RAWG",
                "a:b/c",
                "it's \"quoted\"",
                "two words",
                "com.acme.Catalog/search",
                "🎮",
                "Größe",
                "."
            })
    void welcomes_any_visible_name(String name) {
        assertThat(BreakerName.flaw(name)).isEmpty();
        assertThat(BreakerName.require(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "a\nb", "a\u0000b", "a\u202Eb", "a\u2028b", "a\uD83Cb", "a\u200Bb"})
    void refuses_what_cannot_be_seen_or_stored(String name) {
        assertThat(BreakerName.flaw(name)).isPresent();
    }

    @Test
    void takes_200_characters_and_no_more() {
        assertThat(BreakerName.flaw("x".repeat(200))).isEmpty();
        assertThat(BreakerName.flaw("x".repeat(201))).contains("it has 201 characters, and 200 is the most");
    }

    @Test
    void says_with_a_code_what_is_wrong_on_one_line() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BreakerName.require("a\nb"))
                .withMessage(
                        "DFB110: the breaker's name is not usable: Breakers.get [a b]. It holds a control character or an"
                                + " invisible one. Give the breaker a name of 1 to 200 visible characters, such as rawg");
    }
}
