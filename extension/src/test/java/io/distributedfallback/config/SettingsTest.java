package io.distributedfallback.config;

import io.distributedfallback.config.Settings.Identity;
import io.distributedfallback.config.Settings.Store;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Timings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

class SettingsTest {

    private final List<Problem> problems = new ArrayList<>();

    @Test
    void has_defaults_for_all() {
        assertThat(configuration().settings(problems::add))
                .isEqualTo(new Settings(
                        new Store(StoreKind.JPA, SchemaMode.VALIDATE, true, PushMode.AUTO),
                        "java:comp/DefaultDataSource",
                        "java:comp/DefaultManagedExecutorService",
                        Timings.DEFAULT,
                        new Identity("instance-1", ""),
                        true));
        assertThat(problems).isEmpty();
    }

    @Test
    void reads_all_keys() {
        Configuration configuration = configuration(
                "distributed-fallback.store", "memory",
                "distributed-fallback.datasource", "jdbc/breakers",
                "distributed-fallback.schema", "CREATE",
                "distributed-fallback.executor", "concurrent/breakers",
                "distributed-fallback.snapshot.fresh", "1s",
                "distributed-fallback.snapshot.max-age", "PT1M",
                "distributed-fallback.snapshot.at-start", "false",
                "distributed-fallback.push", "on",
                "distributed-fallback.store.read-timeout", "250ms",
                "distributed-fallback.store.write-timeout", "2s",
                "distributed-fallback.store.retire-after", "2h",
                "distributed-fallback.history.retention", "P30D",
                "distributed-fallback.prefix", "shop:",
                "distributed-fallback.instance-id", "pod-7",
                "distributed-fallback.metrics", "off");

        assertThat(configuration.settings(problems::add))
                .isEqualTo(new Settings(
                        new Store(StoreKind.MEMORY, SchemaMode.CREATE, false, PushMode.ON),
                        "jdbc/breakers",
                        "concurrent/breakers",
                        new Timings(
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1),
                                Duration.ofMillis(250),
                                Duration.ofSeconds(2),
                                Optional.of(Duration.ofHours(2)),
                                Optional.of(Duration.ofDays(30))),
                        new Identity("pod-7", "shop:"),
                        false));
        assertThat(problems).isEmpty();
        assertThat(configuration.check(DeclaredBreakers.NONE).errors()).isEmpty();
    }

    @Test
    void the_history_is_kept_for_ever_if_trimming_it_is_off() {
        assertThat(configuration("distributed-fallback.history.retention", "off")
                        .settings(problems::add)
                        .timings()
                        .historyRetention())
                .isEmpty();
    }

    @Test
    void rows_are_not_retired_if_that_is_off() {
        assertThat(configuration("distributed-fallback.store.retire-after", "off")
                        .settings(problems::add)
                        .timings()
                        .retireAfter())
                .isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void reads_environment_variables() {
        Configuration configuration = configuration(TestConfig.ofEnvironment(
                Map.of("DISTRIBUTED_FALLBACK_STORE_READ_TIMEOUT", "300ms"),
                "distributed-fallback.store.read-timeout",
                "5s"));

        assertThat(configuration.settings(problems::add).timings().readTimeout())
                .isEqualTo(Duration.ofMillis(300));
        assertThat(configuration.check(DeclaredBreakers.NONE).errors()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "store, redis, jpa or memory",
        "schema, update, 'validate, create or none'",
        "snapshot.fresh, -1s, such as 2s",
        "snapshot.max-age, soon, such as 2s",
        "store.read-timeout, 0s, such as 2s",
        "store.write-timeout, 10, such as 2s",
        "store.retire-after, never, 'such as 24h, or off'",
        "history.retention, 59m, 'a duration of 1h or more'"
    })
    void reports_a_value_that_is_not_usable_and_goes_on_with_the_default(String key, String value, String remedy) {
        Settings settings = configuration("distributed-fallback." + key, value).settings(problems::add);

        assertThat(settings).isEqualTo(configuration().settings(problem -> {}));
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.where()).isEqualTo("distributed-fallback." + key + " (from test.properties)");
            assertThat(problem.value()).isEqualTo(value);
            assertThat(problem.remedy()).contains(remedy);
        });
    }

    @Test
    void refuses_names_that_are_too_long_or_not_plain() {
        configuration("distributed-fallback.instance-id", "x".repeat(101), "distributed-fallback.prefix", "a\nb")
                .settings(problems::add);
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201, ProblemCode.DFB201);
    }

    @Test
    void wants_the_copy_to_be_fresh_for_a_shorter_time_than_it_may_live() {
        configuration("distributed-fallback.snapshot.fresh", "30s").settings(problems::add);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB203);
            assertThat(problem.toString()).contains("snapshot.fresh=PT30S, snapshot.max-age=PT30S");
        });
    }

    @Test
    void reports_an_expression_that_leads_nowhere() {
        configuration("distributed-fallback.datasource", "${nowhere}").settings(problems::add);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.where()).startsWith("distributed-fallback.datasource");
        });
    }

    @Test
    void follows_an_expression() {
        assertThat(configuration("distributed-fallback.prefix", "${app}:", "app", "shop")
                        .settings(problems::add)
                        .identity()
                        .prefix())
                .isEqualTo("shop:");
    }

    @Test
    void gives_each_instance_a_short_name_of_its_own() {
        ClassLoader loader = SettingsTest.class.getClassLoader();
        String one = new Configuration(TestConfig.of(), loader)
                .settings(problems::add)
                .identity()
                .instance();
        String other = new Configuration(TestConfig.of(), loader)
                .settings(problems::add)
                .identity()
                .instance();
        assertThat(one).hasSize(8).isNotEqualTo(other);
    }

    @Test
    void alerts_are_raised_by_the_defaults_unless_keys_say_something_else() {
        assertThat(configuration().alerts(problems::add)).isEqualTo(AlertRules.DEFAULT);
        Configuration own = configuration(
                "distributed-fallback.alerts.open-for", "10m",
                "distributed-fallback.alerts.fallback-share", "0.25",
                "distributed-fallback.alerts.minimum-calls", "100",
                "distributed-fallback.alerts.flapping-openings", "5");
        assertThat(own.alerts(problems::add))
                .isEqualTo(new AlertRules(Optional.of(Duration.ofMinutes(10)), OptionalDouble.of(0.25), 100, 5));
        assertThat(own.check(DeclaredBreakers.NONE).errors()).isEmpty();
        Configuration off = configuration(
                "distributed-fallback.alerts.open-for", "off", "distributed-fallback.alerts.fallback-share", "off");
        assertThat(off.alerts(problems::add))
                .isEqualTo(new AlertRules(Optional.empty(), OptionalDouble.empty(), 20, 3));
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "alerts.open-for, 0s",
        "alerts.fallback-share, 10%",
        "alerts.fallback-share, 0",
        "alerts.minimum-calls, 0",
        "alerts.flapping-openings, many"
    })
    void a_value_of_the_alerts_that_is_not_usable_is_a_problem_and_the_default_holds(String key, String value) {
        assertThat(configuration("distributed-fallback." + key, value).alerts(problems::add))
                .isEqualTo(AlertRules.DEFAULT);
        assertThat(problems)
                .singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.DFB201));
    }
}
