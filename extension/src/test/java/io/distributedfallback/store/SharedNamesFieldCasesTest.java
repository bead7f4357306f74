package io.distributedfallback.store;

import io.distributedfallback.BreakerState;
import io.distributedfallback.core.SchemaMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Field cases of the names of breakers in a store that instances and applications share: whole engines on PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SharedNamesFieldCasesTest {

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeEach
    void start() {
        postgres.empty();
        new Definitions(postgres).runAll();
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        open.clear();
    }

    private JpaBreakerStore store(String prefix) {
        JpaBreakerStore store =
                Provider.HIBERNATE.store(postgres.dataSource(), SchemaMode.VALIDATE, prefix, "with prefix " + prefix);
        open.add(store);
        return store;
    }

    private EngineInstance instance(JpaBreakerStore store) {
        EngineInstance instance = new EngineInstance(store);
        open.add(instance);
        return instance;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop:"})
    void two_applications_with_a_breaker_of_the_same_name_share_it_unless_one_has_a_prefix(String prefix) { // C10
        EngineInstance one = instance(store(""));
        one.fail(3);
        assertThat(one.call()).isEqualTo("fallback");

        EngineInstance ofAnotherApplication = instance(store(prefix));

        assertThat(ofAnotherApplication.call()).isEqualTo(prefix.isEmpty() ? "fallback" : "primary");
        assertThat(ofAnotherApplication.breaker().status().standing().state())
                .isEqualTo(prefix.isEmpty() ? BreakerState.OPEN : BreakerState.CLOSED);
    }

    @Test
    void names_with_signs_blanks_two_hundred_characters_and_either_case_are_breakers_of_their_own() { // C11
        List<String> names = List.of(
                "rawg",
                "RAWG",
                "Rawg",
                "ra wg",
                "ra  wg",
                "a:b",
                "a/b",
                "a:b/c",
                "'",
                "''",
                "\"",
                "it's \"it\"",
                "%",
                "_",
                "\\",
                "?1",
                "$1",
                "x".repeat(200),
                "x".repeat(199) + "X",
                "x".repeat(199));
        EngineInstance one = instance(store(""));
        one.down = true;
        for (int i = 0; i < names.size(); i += 2) {
            for (int n = 0; n < 3; n++) {
                assertThat(one.call(names.get(i))).isEqualTo("fallback");
            }
        }

        EngineInstance other = instance(store(""));
        for (int i = 0; i < names.size(); i++) {
            assertThat(other.call(names.get(i))).as(names.get(i)).isEqualTo(i % 2 == 0 ? "fallback" : "primary");
        }
        assertThat(postgres.query(
                        "SELECT count(*), max(length(name)), bool_and(state = 'OPEN') FROM distributed_breaker"))
                .containsExactly("10 200 t");
    }
}
