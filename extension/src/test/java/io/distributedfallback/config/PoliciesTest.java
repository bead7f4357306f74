package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.config.DeclaredBreakers.Declared;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

class PoliciesTest {

    private static final DeclaredBreakers ANNOTATED = declared(Set.of(), Annotated.class);

    private final List<Problem> problems = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void has_the_defaults_of_the_product_where_nothing_is_said() {
        Policy policy = policies(DeclaredBreakers.NONE).policyOf("rawg");
        assertThat(policy.failureThreshold()).isEqualTo(3);
        assertThat(policy.failureRatio()).isEmpty();
        assertThat(policy.window()).isEqualTo(Duration.ofMinutes(1));
        assertThat(policy.minimumCalls()).isEqualTo(20);
        assertThat(policy.quorum()).isEqualTo(1);
        assertThat(policy.slowCall()).isEmpty();
        assertThat(policy.probeInterval()).isEqualTo(Duration.ofSeconds(15));
        assertThat(policy.probeLease()).isEqualTo(Duration.ofSeconds(10));
        assertThat(policy.probeTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.probeTrigger()).isEqualTo(ProbeTrigger.TRAFFIC);
        assertThat(policy.cooldown()).isEqualTo(Duration.ofMinutes(1));
        assertThat(policy.maxCooldown()).isEqualTo(Duration.ofHours(1));
        assertThat(policy.rampUp()).isEmpty();
    }

    @Test
    void recovers_by_trial_without_a_probe_and_by_probes_with_one() {
        Policies policies = policies(
                declared(Set.of("probed")),
                "distributed-fallback.breaker.asked.probe-url",
                "https://api.example.com/up");

        assertThat(policies.policyOf("plain").recovery()).isEqualTo(Recovery.TRIAL);
        assertThat(policies.policyOf("plain").probeSuccesses()).isEqualTo(1);
        assertThat(policies.policyOf("probed").recovery()).isEqualTo(Recovery.PROBE);
        assertThat(policies.policyOf("probed").probeSuccesses()).isEqualTo(3);
        assertThat(policies.policyOf("asked").recovery()).isEqualTo(Recovery.PROBE);
        assertThat(policies.policyOf("asked").probeUrl()).contains(URI.create("https://api.example.com/up"));
    }

    @Test
    void reads_the_annotation() {
        Policy policy = policies(ANNOTATED).policyOf("rawg");
        assertThat(policy.failureThreshold()).isEqualTo(5);
        assertThat(policy.failureRatio()).hasValue(0.25);
        assertThat(policy.window()).isEqualTo(Duration.ofSeconds(90));
        assertThat(policy.minimumCalls()).isEqualTo(50);
        assertThat(policy.quorum()).isEqualTo(2);
        assertThat(policy.slowCall()).contains(Duration.ofSeconds(2));
        assertThat(policy.probeInterval()).isEqualTo(Duration.ofSeconds(20));
        assertThat(policy.probeSuccesses()).isEqualTo(2);
        assertThat(policy.probeLease()).isEqualTo(Duration.ofSeconds(8));
        assertThat(policy.probeTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(policy.probeUrl()).contains(URI.create("http://api.example.com/up"));
        assertThat(policy.probeTrigger()).isEqualTo(ProbeTrigger.BACKGROUND);
        assertThat(policy.recovery()).isEqualTo(Recovery.TRIAL);
        assertThat(policy.cooldown()).isEqualTo(Duration.ofSeconds(30));
        assertThat(policy.maxCooldown()).isEqualTo(Duration.ofMinutes(30));
        assertThat(policy.rampUp()).contains(Duration.ofMinutes(5));
    }

    @ParameterizedTest
    @CsvSource({"0.5, 0.5", "1, 1", "1.0, 1", ".07, 0.07", "0.000000001, 1e-9"})
    void reads_a_share(String text, double share) {
        assertThat(withRatio(text).failureRatio()).hasValue(share);
        assertThat(problems).isEmpty();
    }

    @Test
    void a_share_can_be_switched_off_for_one() {
        assertThat(policies(
                                DeclaredBreakers.NONE,
                                "distributed-fallback.default.failure-ratio",
                                "0.5",
                                "distributed-fallback.breaker.rawg.failure-ratio",
                                "OFF")
                        .policyOf("rawg")
                        .failureRatio())
                .isEmpty();
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0.0",
                "-0.5",
                "1.01",
                "50",
                "50%",
                "NaN",
                "Infinity",
                "1e-1",
                "0x1p-1",
                "0.5f",
                "half",
                "1."
            })
    void refuses_what_is_no_share(String text) {
        assertThat(withRatio(text).failureRatio()).isEmpty();
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.value()).isEqualTo(text);
            assertThat(problem.remedy()).contains("above 0 and up to 1, such as 0.5, or off");
        });
    }

    private Policy withRatio(String text) {
        return policies(DeclaredBreakers.NONE, "distributed-fallback.default.failure-ratio", text)
                .policyOf("rawg");
    }

    @Test
    void puts_the_configuration_for_all_breakers_above_the_annotation_and_that_for_one_above_both() {
        Policies policies = policies(
                ANNOTATED,
                "distributed-fallback.default.failure-threshold",
                "7",
                "distributed-fallback.default.cooldown",
                "40s",
                "distributed-fallback.default.slow-call",
                "off",
                "distributed-fallback.breaker.rawg.failure-threshold",
                "9");

        Policy rawg = policies.policyOf("rawg");
        assertThat(rawg.failureThreshold()).isEqualTo(9);
        assertThat(rawg.cooldown()).isEqualTo(Duration.ofSeconds(40));
        assertThat(rawg.slowCall()).isEmpty();
        assertThat(rawg.probeInterval()).isEqualTo(Duration.ofSeconds(20));
        assertThat(policies.policyOf("igdb").failureThreshold()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rawg", "com.acme.Catalog/search", "two words", "a.b.cooldown", "UPPER", "with:colon", "größe"})
    void finds_the_policy_of_any_name(String breaker) {
        String key = "distributed-fallback.breaker." + breaker + ".failure-threshold";
        assertThat(policies(DeclaredBreakers.NONE, key, "9").policyOf(breaker).failureThreshold())
                .isEqualTo(9);
        Findings findings = configuration(key, "9").check(declaredUse(breaker));
        assertThat(findings.errors()).isEmpty();
        assertThat(findings.warnings()).isEmpty();
    }

    @Test
    void reads_environment_variables() {
        Configuration configuration = configuration(TestConfig.ofEnvironment(
                Map.of(
                        "DISTRIBUTED_FALLBACK_BREAKER_RAWG_FAILURE_THRESHOLD", "9",
                        "DISTRIBUTED_FALLBACK_DEFAULT_COOLDOWN", "5s",
                        "DISTRIBUTED_FALLBACK_BREAKER_COM_ACME_CATALOG_SEARCH_COOLDOWN", "6s"),
                "distributed-fallback.breaker.rawg.failure-threshold",
                "4"));
        Policies policies = configuration.policies(DeclaredBreakers.NONE, Map.of(), now::get, problems::add);

        assertThat(policies.policyOf("rawg").failureThreshold()).isEqualTo(9);
        assertThat(policies.policyOf("rawg").cooldown()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policies.policyOf("com.acme.Catalog/search").cooldown()).isEqualTo(Duration.ofSeconds(6));
        assertThat(configuration.check(declaredUse("rawg")).errors()).isEmpty();
    }

    @Test
    void sees_a_change_of_the_configuration_when_its_time_has_come() {
        Map<String, String> properties = TestConfig.mapOf("distributed-fallback.default.failure-threshold", "4");
        Policies policies = configuration(TestConfig.changing(properties))
                .policies(DeclaredBreakers.NONE, Map.of(), now::get, problems::add);
        Policy first = policies.policyOf("rawg");
        assertThat(first.failureThreshold()).isEqualTo(4);

        properties.put("distributed-fallback.default.failure-threshold", "6");
        now.addAndGet(Policies.REREAD.toNanos() - 1);
        assertThat(policies.policyOf("rawg")).isSameAs(first);
        now.addAndGet(1);
        assertThat(policies.policyOf("rawg").failureThreshold()).isEqualTo(6);
    }

    @Test
    void keeps_the_last_good_policy_when_a_value_becomes_bad_and_says_so_once() {
        String key = "distributed-fallback.breaker.rawg.failure-threshold";
        Map<String, String> properties = TestConfig.mapOf(key, "4");
        Policies policies = configuration(TestConfig.changing(properties))
                .policies(DeclaredBreakers.NONE, Map.of(), now::get, problems::add);
        policies.policyOf("rawg");

        properties.put(key, "many");
        assertThat(later(policies).failureThreshold()).isEqualTo(4);
        assertThat(later(policies).failureThreshold()).isEqualTo(4);
        assertThat(problems)
                .singleElement()
                .satisfies(problem -> assertThat(problem.value()).isEqualTo("many"));

        properties.put(key, "5");
        assertThat(later(policies).failureThreshold()).isEqualTo(5);
        properties.put(key, "many");
        assertThat(later(policies).failureThreshold()).isEqualTo(5);
        assertThat(problems).hasSize(2);
    }

    @Test
    void keeps_the_last_good_policy_as_a_whole_when_values_stop_fitting_together() {
        String key = "distributed-fallback.breaker.rawg.cooldown";
        Map<String, String> properties = TestConfig.mapOf(key, "30s");
        Policies policies = configuration(TestConfig.changing(properties))
                .policies(DeclaredBreakers.NONE, Map.of(), now::get, problems::add);
        policies.policyOf("rawg");

        properties.put(key, "2h");
        properties.put("distributed-fallback.breaker.rawg.failure-threshold", "9");
        assertThat(later(policies).cooldown()).isEqualTo(Duration.ofSeconds(30));
        assertThat(later(policies).failureThreshold()).isEqualTo(3);
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB203);
    }

    @Test
    void gives_a_breaker_first_asked_for_at_run_time_what_is_usable() {
        Policies policies = policies(
                DeclaredBreakers.NONE,
                "distributed-fallback.breaker.new.failure-threshold",
                "many",
                "distributed-fallback.breaker.new.cooldown",
                "30s",
                "distributed-fallback.breaker.misfit.cooldown",
                "2h");

        assertThat(policies.policyOf("new").failureThreshold()).isEqualTo(3);
        assertThat(policies.policyOf("new").cooldown()).isEqualTo(Duration.ofSeconds(30));
        assertThat(policies.policyOf("misfit").cooldown()).isEqualTo(Duration.ofMinutes(1));
        assertThat(problems).extracting(Problem::code).containsExactly(ProblemCode.DFB201, ProblemCode.DFB203);
    }

    @Test
    void survives_a_config_source_that_fails() {
        var failing = new SmallRyeConfigBuilder()
                .withSources(new ConfigSource() {
                    @Override
                    public int getOrdinal() {
                        return 100;
                    }

                    @Override
                    public String getName() {
                        return "failing";
                    }

                    @Override
                    public Set<String> getPropertyNames() {
                        return Set.of();
                    }

                    @Override
                    public String getValue(String name) {
                        throw new IllegalStateException("the vault is sealed");
                    }
                })
                .build();
        Policy policy = configuration(failing)
                .policies(DeclaredBreakers.NONE, Map.of(), now::get, problems::add)
                .policyOf("rawg");

        assertThat(policy.failureThreshold()).isEqualTo(3);
        assertThat(problems)
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem.remedy()).contains("the vault is sealed"));
    }

    private Policy later(Policies policies) {
        now.addAndGet(Policies.REREAD.toNanos());
        return policies.policyOf("rawg");
    }

    private Policies policies(DeclaredBreakers declared, String... keysAndValues) {
        return configuration(keysAndValues).policies(declared, Map.of(), now::get, problems::add);
    }

    static DeclaredBreakers declaredUse(String breaker) {
        return new DeclaredBreakers(Set.of(breaker), Set.of(), List.of());
    }

    static DeclaredBreakers declared(Set<String> probed, Class<?>... classes) {
        List<Declared> policies = new ArrayList<>();
        for (Class<?> type : classes) {
            for (BreakerPolicy policy : type.getAnnotationsByType(BreakerPolicy.class)) {
                policies.add(new Declared(policy, type));
            }
        }
        return new DeclaredBreakers(Set.of("rawg"), probed, policies);
    }

    @BreakerPolicy(
            breaker = "rawg",
            failureThreshold = 5,
            failureRatio = "0.25",
            window = "90s",
            minimumCalls = 50,
            quorum = 2,
            slowCall = "2s",
            probeInterval = "20s",
            probeSuccesses = 2,
            probeLease = "8s",
            probeTimeout = "4s",
            probeUrl = "http://api.example.com/up",
            probeTrigger = ProbeTrigger.BACKGROUND,
            recovery = Recovery.TRIAL,
            cooldown = "30s",
            maxCooldown = "30m",
            rampUp = "5m")
    private static final class Annotated {}
}
