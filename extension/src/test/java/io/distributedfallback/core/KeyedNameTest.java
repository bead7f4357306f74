package io.distributedfallback.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyedNameTest {

    private static final String HASHED = "rawg\\[#[0-9a-f]{32}]";

    private static String name(String base, String key) {
        return KeyedName.of(base, KeyedName.handleOf(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme", "ACME", "two words", "eu-west-1", "größe", "🎮", "a#b", "a/b:c", " acme", "(1)"})
    void a_plain_key_stands_in_the_name_as_it_is(String key) {
        assertThat(name("rawg", key)).isEqualTo("rawg[" + key + "]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\nb",
                "a\u0000b",
                "a\u202Eb",
                "a\u2028b",
                "a\uD83Cb",
                "a]",
                "[",
                "a][b",
                "acme]\n2026-01-01 ERROR forged",
                "#",
                "#5ac6f8c1"
            })
    void any_other_key_is_hashed(String key) {
        assertThat(name("rawg", key)).matches(HASHED);
    }

    @Test
    void a_key_of_64_characters_is_plain_and_a_longer_one_is_hashed() {
        assertThat(name("rawg", "x".repeat(64))).hasSize(70);
        assertThat(name("rawg", "x".repeat(65))).matches(HASHED);
        assertThat(name("rawg", "x".repeat(10_000))).matches(HASHED);
        assertThat(KeyedName.handleOf("x".repeat(10_000)).length()).isLessThan(64);
    }

    @Test
    void the_hash_is_the_one_that_an_operator_can_work_out() { // printf 'a]' | sha256sum | cut -c-32
        assertThat(name("rawg", "a]")).isEqualTo("rawg[#c8e7c79256980bc01e5992d0de7a16ac]");
    }

    @Test
    void a_key_that_looks_like_the_hash_of_another_is_not_taken_for_it() {
        String victim = "x".repeat(65);
        String hash = KeyedName.handleOf(victim);
        assertThat(name("rawg", hash)).isNotEqualTo(name("rawg", victim)).matches(HASHED);
    }

    @Test
    void the_longest_base_and_any_key_together_are_a_name() {
        String base = "b".repeat(KeyedName.LONGEST_BASE);
        assertThat(name(base, "k".repeat(64))).hasSize(BreakerName.LONGEST);
        assertThat(name(base, "k".repeat(65)).length()).isLessThan(BreakerName.LONGEST);
        assertThat(KeyedName.requireBase(base)).isEqualTo(base);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyedName.requireBase(base + "b"))
                .withMessage("DFB110: the breaker's name is not usable: Breakers.get [" + base
                        + "b]. It has 135 characters, and with keys 134 is the most. Shorten it");
    }

    @Test
    void no_breaker_without_a_key_has_the_name_of_one_with_a_key() {
        assertThat(BreakerName.flaw("rawg[acme]")).contains("it ends in ], as only the names of keyed breakers do");
        assertThat(BreakerName.flaw("rawg[acme] ")).isEmpty();
        assertThat(BreakerName.flaw("rawg[")).isEmpty();
    }

    @Test
    void no_two_pairs_of_base_and_key_have_the_same_name() {
        Random random = new Random(20261);
        Map<String, List<String>> pairs = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            String base = "b" + text(random);
            String key = text(random);
            if (BreakerName.flaw(base).isPresent() || key.isEmpty()) {
                continue;
            }
            String name = name(base, key);
            List<String> pair = List.of(base, key);
            assertThat(pairs.computeIfAbsent(name, missing -> pair)).isEqualTo(pair);
        }
        assertThat(pairs).hasSizeGreaterThan(1000);
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(5); length > 0; length--) {
            text.append("ab[]#\n".charAt(random.nextInt(6)));
        }
        return text.toString();
    }

    @Test
    void a_name_comes_apart_into_what_it_was_made_of() {
        assertThat(KeyedName.parse("rawg[acme]")).contains(new KeyedName.Parts("rawg", "acme"));
        assertThat(KeyedName.parse("a[b[c]")).contains(new KeyedName.Parts("a[b", "c"));
        for (String other : List.of("rawg", "rawg[]", "[acme]", "rawg[acme", "rawg]", "]", "[")) {
            assertThat(KeyedName.parse(other)).as(other).isEmpty();
        }
    }

    @Test
    void a_key_that_is_no_text_is_none() {
        assertThat(Stream.of(null, "", " ", "\t\n", new Unloaded()))
                .allSatisfy(key -> assertThat(KeyedName.textOf(key)).isEmpty());
        assertThat(KeyedName.textOf(7)).isEqualTo("7");
    }

    private static final class Unloaded {
        @Override
        public String toString() {
            throw new IllegalStateException("not loaded");
        }
    }
}
