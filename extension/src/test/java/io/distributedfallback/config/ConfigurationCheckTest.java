package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.PoliciesTest.declared;
import static io.distributedfallback.config.PoliciesTest.declaredUse;
import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class ConfigurationCheckTest {

    @ParameterizedTest
    @CsvSource({
        "failure-threshold, 0, such as 3",
        "failure-threshold, -1, such as 3",
        "failure-threshold, three, such as 3",
        "failure-threshold, 99999999999, such as 3",
        "slow-call, never, or off",
        "slow-call, -2s, or off",
        "probe-interval, 0s, such as 15s",
        "probe-interval, off, such as 15s",
        "probe-successes, 0, such as 3",
        "probe-lease, 10, such as 10s",
        "probe-timeout, -5s, such as 5s",
        "probe-trigger, timer, traffic or background",
        "recovery, hope, probe or trial",
        "cooldown, soon, such as 60s",
        "max-cooldown, 1y, such as 1h",
        "ramp-up, 0s, or off",
        "ramp-up, slowly, such as 5m"
    })
    void reports_a_value_that_is_not_usable(String key, String value, String remedy) {
        for (String section : List.of("breaker.rawg.", "default.")) {
            String name = "distributed-fallback." + section + key;
            assertThat(errors(name, value)).singleElement().satisfies(problem -> {
                assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
                assertThat(problem.where()).isEqualTo(name + " (from test.properties)");
                assertThat(problem.value()).isEqualTo(value);
                assertThat(problem.remedy()).contains(remedy);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/up", "api.example.com/up", "ftp://h/up", "mailto:a@b", "http:///up", "http://a b/", "http:up"})
    void wants_an_absolute_http_url(String url) {
        assertThat(errors("distributed-fallback.breaker.rawg.probe-url", url))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
                    assertThat(problem.remedy()).contains("https://api.example.com/health");
                });
    }

    @Test
    void shows_no_secret_of_a_url() {
        assertThat(errors("distributed-fallback.breaker.rawg.probe-url", "ftp://joe:S3CRET@h/?key=S3CRET"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).doesNotContain("S3CRET"));
    }

    @Test
    void says_it_all_in_one_line() {
        assertThat(errors("distributed-fallback.breaker.rawg.cooldown", "-5s"))
                .singleElement()
                .hasToString("DFB201: a value that is not usable: distributed-fallback.breaker.rawg.cooldown"
                        + " (from test.properties) [-5s]. A duration must be positive. Give it a positive duration,"
                        + " such as 60s");
    }

    @Test
    void reports_a_bad_value_in_an_annotation_even_where_the_configuration_covers_it() {
        Findings findings = configuration("distributed-fallback.breaker.rawg.cooldown", "30s")
                .check(declared(Set.of(), BadAnnotation.class));
        assertThat(findings.errors())
                .extracting(Problem::where)
                .containsExactly(
                        "@BreakerPolicy(breaker = \"rawg\") on " + BadAnnotation.class.getName()
                                + ", member failureThreshold",
                        "@BreakerPolicy(breaker = \"rawg\") on " + BadAnnotation.class.getName() + ", member recovery",
                        "@BreakerPolicy(breaker = \"rawg\") on " + BadAnnotation.class.getName() + ", member cooldown");
    }

    @Test
    void reports_a_bad_value_that_comes_from_the_environment() {
        Findings findings = configuration(
                        TestConfig.ofEnvironment(Map.of("DISTRIBUTED_FALLBACK_BREAKER_RAWG_COOLDOWN", "-5s")))
                .check(declaredUse("rawg"));
        assertThat(findings.errors()).singleElement().satisfies(problem -> {
            assertThat(problem.where()).startsWith("distributed-fallback.breaker.rawg.cooldown (from ");
            assertThat(problem.value()).isEqualTo("-5s");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "breaker.rawg.cooldwn, Did you mean distributed-fallback.breaker.rawg.cooldown?",
        "breaker.rawg.failure_threshold, Did you mean distributed-fallback.breaker.rawg.failure-threshold?",
        "breakers.rawg.cooldown, Did you mean distributed-fallback.breaker.rawg.cooldown?",
        "breaker.com.acme.Catalog/search.probeinterval,"
                + " Did you mean distributed-fallback.breaker.com.acme.Catalog/search.probe-interval?",
        "defaults.cooldown, Did you mean distributed-fallback.default.cooldown?",
        "data-source, Did you mean distributed-fallback.datasource?",
        "snapshot.maxage, Did you mean distributed-fallback.snapshot.max-age?",
        "default.probe-url, Did you mean distributed-fallback.breaker.<name>.probe-url?",
        "pusch, Did you mean distributed-fallback.push?",
        "breaker.rawg.sample-rate, 'Remove it, or see the list of keys in the guide'",
        "breaker.rawg.minimum-call, Did you mean distributed-fallback.breaker.rawg.minimum-calls?",
        "breaker.cooldown, Did you mean distributed-fallback.breaker.<name>.cooldown?",
        "breaker, 'Remove it, or see the list of keys in the guide'"
    })
    void reports_an_unknown_key_and_guesses_what_was_meant(String key, String remedy) {
        assertThat(errors("distributed-fallback." + key, "1"))
                .containsExactly(new Problem(
                        ProblemCode.DFB202, "distributed-fallback." + key + " (from test.properties)", "", remedy));
    }

    @Test
    void warns_of_push_where_nobody_could_tell_of_a_change() {
        Findings findings = configuration("distributed-fallback.push", "on", "distributed-fallback.store", "memory")
                .check(declaredUse("rawg"));
        assertThat(findings.errors()).isEmpty();
        assertThat(findings.warnings())
                .singleElement()
                .satisfies(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.DFB207));
        assertThat(configuration("distributed-fallback.store", "memory")
                        .check(declaredUse("rawg"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void reports_an_unknown_member_of_the_annotation() {
        assertThat(errors(
                        "DistributedFallback/breakr", "x",
                        "com.acme.Catalog/search/DistributedFallback/fallback", "x",
                        "com.acme.Catalog/search/DistributedFallback/enabled", "false",
                        "com.acme.Catalog/search/Retry/maxRetries", "3"))
                .extracting(Problem::where, Problem::code)
                .containsExactly(
                        tuple("DistributedFallback/breakr (from test.properties)", ProblemCode.DFB202),
                        tuple(
                                "com.acme.Catalog/search/DistributedFallback/fallback (from test.properties)",
                                ProblemCode.DFB202));
    }

    @Test
    void leaves_keys_of_others_alone() {
        assertThat(errors("distributed-fallback-of-mine.x", "1", "distributed.fallback.x", "1", "quarkus.x", "1"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "probe-lease, 5s, 'probe-lease=PT5S, probe-timeout=PT5S'",
        "probe-timeout, 15s, 'probe-lease=PT10S, probe-timeout=PT15S'",
        "cooldown, 2h, 'cooldown=PT2H, max-cooldown=PT1H'",
        "max-cooldown, 30s, 'cooldown=PT1M, max-cooldown=PT30S'",
        "recovery, probe, recovery=probe without a probe"
    })
    void reports_values_that_do_not_fit_together(String key, String value, String found) {
        for (String section : List.of("breaker.rawg.", "default.")) {
            assertThat(errors("distributed-fallback." + section + key, value))
                    .singleElement()
                    .satisfies(problem -> {
                        assertThat(problem.code()).isEqualTo(ProblemCode.DFB203);
                        assertThat(problem.where()).isEqualTo("breaker \"rawg\"");
                        assertThat(problem.value()).isEqualTo(found);
                    });
        }
    }

    @Test
    void lets_a_breaker_with_a_probe_recover_by_probe() {
        assertThat(configuration("distributed-fallback.breaker.rawg.recovery", "probe")
                        .check(declared(Set.of("rawg")))
                        .errors())
                .isEmpty();
    }

    @Test
    void reports_two_policies_for_one_breaker_with_both_places() {
        assertThat(configuration()
                        .check(declared(Set.of(), One.class, Other.class))
                        .errors())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo(ProblemCode.DFB109);
                    assertThat(problem.value()).isEqualTo("rawg");
                    assertThat(problem.where()).contains(One.class.getName(), Other.class.getName());
                });
    }

    @Test
    void takes_two_policies_on_one_class_for_two_breakers() {
        assertThat(configuration().check(declared(Set.of(), Both.class)).errors())
                .isEmpty();
    }

    @Test
    void warns_of_a_policy_for_a_breaker_that_no_annotation_names() {
        Findings findings = configuration("distributed-fallback.breaker.rwag.cooldown", "30s")
                .check(declaredUse("rawg"));
        assertThat(findings.errors()).isEmpty();
        assertThat(findings.warnings()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB204);
            assertThat(problem.where()).isEqualTo("distributed-fallback.breaker.rwag.*");
            assertThat(problem.remedy()).contains("rawg");
        });
    }

    @Test
    void reports_bad_names_of_breakers() {
        Findings findings = configuration("distributed-fallback.breaker.a\nb.cooldown", "30s")
                .check(declared(Set.of(), Nameless.class));
        assertThat(findings.errors()).extracting(Problem::code).containsExactly(ProblemCode.DFB110, ProblemCode.DFB110);
        assertThat(findings.errors().toString()).doesNotContain("\n");
    }

    @Test
    void reports_a_name_that_is_too_long_with_the_prefix() {
        Findings findings =
                configuration("distributed-fallback.prefix", "shop:").check(declaredUse("x".repeat(196)));
        assertThat(findings.errors()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB110);
            assertThat(problem.remedy()).contains("201 characters");
        });
    }

    @Test
    void lists_all_problems_at_once_and_each_once() {
        Findings findings = configuration(
                        "distributed-fallback.default.cooldown", "soon",
                        "distributed-fallback.breaker.rawg.probe-lease", "1s",
                        "distributed-fallback.breaker.igdb.failure-threshold", "0",
                        "distributed-fallback.breaker.igdb.failure-treshold", "4",
                        "distributed-fallback.pull", "true")
                .check(new DeclaredBreakers(Set.of("rawg", "igdb", "jikan"), Set.of(), List.of()));
        assertThat(findings.errors())
                .extracting(Problem::code)
                .containsExactlyInAnyOrder(
                        ProblemCode.DFB201,
                        ProblemCode.DFB203,
                        ProblemCode.DFB201,
                        ProblemCode.DFB202,
                        ProblemCode.DFB202);
    }

    private static List<Problem> errors(String... keysAndValues) {
        return configuration(keysAndValues).check(declaredUse("rawg")).errors();
    }

    @BreakerPolicy(
            breaker = "rawg",
            failureThreshold = -1,
            cooldown = "soon",
            recovery = {Recovery.TRIAL, Recovery.PROBE})
    private static final class BadAnnotation {}

    @BreakerPolicy(breaker = "rawg", failureThreshold = 2)
    private static final class One {}

    @BreakerPolicy(breaker = "rawg", failureThreshold = 4)
    private static final class Other {}

    @BreakerPolicy(breaker = "rawg", failureThreshold = 2)
    @BreakerPolicy(breaker = "igdb", failureThreshold = 4)
    private static final class Both {}

    @BreakerPolicy(breaker = " ")
    private static final class Nameless {}
}
