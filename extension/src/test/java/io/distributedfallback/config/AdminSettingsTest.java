package io.distributedfallback.config;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

/** Nothing that is missing or misread lets anybody in. */
class AdminSettingsTest {

    private static final String KEY = "distributed-fallback.admin.";

    private final List<Problem> problems = new ArrayList<>();

    private Optional<AdminAccess> read(String... keysAndValues) {
        return configuration(keysAndValues).admin(problems::add);
    }

    @Test
    void is_off_by_default_and_whatever_else_is_set() {
        assertThat(read()).isEmpty();
        assertThat(read(KEY + "role", "viewer", KEY + "path", "/ops")).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void needs_a_role() {
        assertThat(read(KEY + "enabled", "true", KEY + "command-role", "operator"))
                .isEmpty();
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB210);
            assertThat(problem.toString()).contains("distributed-fallback.admin.role");
        });
    }

    @Test
    void has_defaults_for_the_rest() {
        assertThat(read(KEY + "enabled", "true", KEY + "role", "viewer"))
                .hasValue(new AdminAccess("/distributed-fallback", "viewer", "viewer", false));
    }

    @Test
    void reads_all_keys() {
        assertThat(read(
                        KEY + "enabled", "true",
                        KEY + "role", "viewer",
                        KEY + "command-role", "operator",
                        KEY + "path", "/ops/breakers",
                        KEY + "transport", "confidential"))
                .hasValue(new AdminAccess("/ops/breakers", "viewer", "operator", true));
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ops", "/", "/ops/", "//ops", "/../ops", "/ops/..", "/.", "/*", "/o p", "/%2e", "/ops;x", "/ä", "/a?b"
            })
    void refuses_a_path_that_could_be_taken_for_another_one(String path) {
        assertThat(read(KEY + "enabled", "true", KEY + "role", "viewer", KEY + "path", path))
                .isEmpty();
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201);
    }

    @Test
    void refuses_a_path_without_end() {
        assertThat(read(KEY + "enabled", "true", KEY + "role", "viewer", KEY + "path", "/ops".repeat(50_000)))
                .isEmpty();
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201);
    }

    @ParameterizedTest
    @CsvSource({"role,*", "role,**", "command-role,*", "command-role,**"})
    void refuses_roles_that_everybody_has(String key, String role) {
        String other = key.equals("role") ? "command-role" : "role";
        assertThat(read(KEY + "enabled", "true", KEY + other, "viewer", KEY + key, role))
                .isEmpty();
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201);
    }

    @ParameterizedTest
    @CsvSource({"enabled,maybe", "transport,secure"})
    void refuses_what_it_does_not_know(String key, String value) {
        List<String> keys = new ArrayList<>(List.of(KEY + "role", "viewer", KEY + key, value));
        if (!key.equals("enabled")) {
            keys.addAll(List.of(KEY + "enabled", "true"));
        }
        Optional<AdminAccess> unused = read(keys.toArray(String[]::new));
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201);
    }

    @Test
    void the_keys_are_known_and_a_misspelt_one_is_not() {
        assertThat(configuration(KEY + "enabled", "false", KEY + "role", "viewer")
                        .check(new DeclaredBreakers(java.util.Set.of(), java.util.Set.of(), List.of()))
                        .errors())
                .isEmpty();
        assertThat(configuration(KEY + "roles", "viewer")
                        .check(new DeclaredBreakers(java.util.Set.of(), java.util.Set.of(), List.of()))
                        .errors())
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("DFB202", KEY + "role?"));
    }
}
