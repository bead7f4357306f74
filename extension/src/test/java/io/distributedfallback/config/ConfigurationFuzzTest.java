package io.distributedfallback.config;

import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Timings;
import io.distributedfallback.fuzz.Fuzz;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever stands in the configuration, it is read or becomes a problem that says where: one line, and never an exception. */
@Timeout(60)
class ConfigurationFuzzTest {

    private static final List<String> KEYS = Stream.concat(
                    SettingsReader.KEYS.stream(),
                    Stream.of(PolicyKey.values())
                            .flatMap(key -> key.hasDefault()
                                    ? Stream.of("default." + key.key(), "breaker.rawg." + key.key())
                                    : Stream.of("breaker.rawg." + key.key())))
            .map(ConfigValues.PREFIX::concat)
            .toList();

    private static final String[] VALUES = {
        "1",
        "0",
        "-1",
        "+1",
        "3",
        "\u0663",
        "\uff11",
        "2147483647",
        "2147483648",
        "9223372036854775808",
        "1e3",
        "0x10",
        "007",
        "0.5",
        "1.0",
        "1.1",
        "-0.5",
        "NaN",
        "Infinity",
        "off",
        "OFF",
        "on",
        "true",
        "false",
        "TRUE",
        "auto",
        "1ms",
        "0s",
        "-5s",
        "5s",
        "5 s",
        "365d",
        "8761h",
        "999999999999999999h",
        "9999999999999999999h",
        "PT5S",
        "PT-5S",
        "P365D",
        "P366D",
        "P9999999999D",
        "PT0.0000001S",
        "",
        " ",
        "${x}",
        "${",
        "${x:5s}",
        "${distributed-fallback.prefix}",
        "\\${x}",
        "jdbc/shop",
        "ldap://evil/x",
        "java:comp/env/x",
        "rmi://h/x",
        "https://h/",
        "http://joe:hunter2@h/?key=hunter2",
        "http://h:0/",
        "http://h:99999/",
        "http://h:-1/",
        "file:///etc/passwd",
        "jar:file:/x!/y",
        "https:h",
        "//h/x",
        "http://[::1]/x",
        "http://h/\u00fc",
        "traffic",
        "background",
        "probe",
        "down-when-open",
        "memory",
        "create",
        "/breakers-admin",
        "//",
        "/../x",
        "**",
        "Degraded",
        "Set-Cookie",
        "X-A: b"
    };

    private static String value(Fuzz fuzz) {
        return switch (fuzz.below(5)) {
            case 0 -> fuzz.text(fuzz.oneOf(5, 500));
            case 1, 2 -> fuzz.mutated(fuzz.oneOf(VALUES));
            default -> fuzz.oneOf(VALUES);
        };
    }

    /** Reads all that there is to read. */
    private static List<Problem> problemsOf(String... keysAndValues) {
        List<Problem> problems = new ArrayList<>();
        Configuration configuration = TestConfig.configuration(keysAndValues);
        assertUsable(configuration.settings(problems::add).timings());
        Optional<?> admin = configuration.admin(problems::add);
        assertThat(admin).isNotNull();
        assertThat(configuration.degradedHeader(problems::add)).isNotNull();
        assertThat(configuration.alerts(problems::add).minimumCalls()).isPositive();
        assertThat(configuration.queue(problems::add).maxArgumentBytes()).isPositive();
        Findings findings = configuration.check(DeclaredBreakers.NONE);
        problems.addAll(findings.errors());
        problems.addAll(findings.warnings());
        assertUsable(configuration
                .policies(DeclaredBreakers.NONE, Map.of(), System::nanoTime, problems::add)
                .policyOf("rawg"));
        return problems;
    }

    private static void assertUsable(Timings timings) {
        assertThat(List.of(timings.fresh(), timings.maxAge(), timings.readTimeout(), timings.writeTimeout()))
                .allSatisfy(time -> assertThat(time).isBetween(Durations.SHORTEST, Durations.LONGEST));
    }

    private static void assertUsable(Policy policy) {
        assertThat(List.of(policy.failureThreshold(), policy.quorum(), policy.minimumCalls(), policy.maxKeys()))
                .allSatisfy(count -> assertThat(count).isPositive());
        assertThat(List.of(policy.probeInterval(), policy.probeLease(), policy.cooldown(), policy.window()))
                .allSatisfy(time -> assertThat(time).isBetween(Durations.SHORTEST, Durations.LONGEST));
        assertThat(policy.probeLease()).isGreaterThan(policy.probeTimeout());
        policy.probeUrl().ifPresent(url -> {
            assertThat(url.getScheme()).isIn("http", "https", "HTTP", "HTTPS", "Http", "Https");
            assertThat(url.getPort()).isBetween(-1, 65_535).isNotZero();
        });
    }

    private static void assertTold(Problem problem) {
        String line = problem.toString();
        assertThat(line).startsWith("DFB").hasSizeLessThan(3_100);
        assertThat(line.codePoints()).as("one plain line").noneMatch(c -> switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        });
    }

    @Test
    void every_key_takes_every_value_or_says_what_is_wrong_with_it() {
        Fuzz.run(300, fuzz -> {
            String key = KEYS.get(fuzz.below(KEYS.size()));
            String value = value(fuzz);

            List<Problem> problems = problemsOf(key, value);

            assertThat(problems).as("%s=%s", key, value).allSatisfy(ConfigurationFuzzTest::assertTold);
            problems.stream()
                    .filter(problem -> problem.code().name().equals("DFB201"))
                    .forEach(problem -> assertThat(problem.where()).contains(key));
        });
    }

    @Test
    void several_values_that_are_wrong_together_are_told_of_together() {
        Fuzz.run(15, fuzz -> {
            String[] all =
                    KEYS.stream().flatMap(key -> Stream.of(key, value(fuzz))).toArray(String[]::new);
            assertThat(problemsOf(all)).allSatisfy(ConfigurationFuzzTest::assertTold);
        });
    }

    @Test
    void what_is_right_is_taken_as_it_is() {
        Fuzz.run(100, fuzz -> {
            int count = 1 + fuzz.below(Integer.MAX_VALUE - 1);
            int number = 1 + fuzz.below(8_000);
            String unit = fuzz.oneOf("ms", "s", "m", "h");
            Duration time = switch (unit) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofHours(number);
            };
            String prefix = "distributed-fallback." + fuzz.oneOf("default.", "breaker.rawg.");
            Configuration configuration = TestConfig.configuration(
                    prefix + "failure-threshold",
                    fuzz.oneOf("", " ") + count,
                    prefix + "window",
                    fuzz.oneOf(number + unit, time.toString()),
                    "distributed-fallback.breaker.rawg.probe-url",
                    "https://h:" + (1 + fuzz.below(65_535)) + "/" + fuzz.word(9));

            Findings findings = configuration.check(DeclaredBreakers.NONE);
            Policy policy = findings.policies().get("rawg");

            assertThat(findings.errors()).isEmpty();
            assertThat(policy.failureThreshold()).isEqualTo(count);
            assertThat(policy.window()).isEqualTo(time);
            assertThat(policy.probeUrl()).isPresent();
        });
    }

    @Test
    void a_name_is_usable_in_a_key_or_said_not_to_be() {
        Fuzz.run(250, fuzz -> {
            String name =
                    fuzz.oneOf("", "RAWG", "rawg", "a b", "a:b", "a/b", "'\"`", "[x", "x]", ".", "..", "x".repeat(200))
                            + fuzz.text(fuzz.oneOf(1, 4, 60));
            String key = "distributed-fallback.breaker." + name + ".failure-threshold";
            boolean empty = name.isEmpty();

            Configuration configuration = TestConfig.configuration(key, "7");
            Findings findings = configuration.check(DeclaredBreakers.NONE);

            assertThat(findings.errors()).allSatisfy(ConfigurationFuzzTest::assertTold);
            assertThat(findings.warnings()).allSatisfy(ConfigurationFuzzTest::assertTold);
            if (!empty && BreakerName.flaw(name).isEmpty()) {
                assertThat(findings.errors()).as(name).isEmpty();
                assertThat(findings.policies().get(name).failureThreshold()).isEqualTo(7);
            } else {
                assertThat(findings.errors()).as(name).isNotEmpty();
            }
        });
    }

    @Test
    void names_that_differ_in_case_alone_are_two_breakers() {
        Findings findings = TestConfig.configuration(
                        "distributed-fallback.breaker.rawg.failure-threshold", "5",
                        "distributed-fallback.breaker.RAWG.failure-threshold", "7")
                .check(DeclaredBreakers.NONE);

        assertThat(findings.policies().get("rawg").failureThreshold()).isEqualTo(5);
        assertThat(findings.policies().get("RAWG").failureThreshold()).isEqualTo(7);
    }

    @Test
    void a_key_that_nothing_reads_is_told_of_in_one_line() {
        Fuzz.run(250, fuzz -> {
            String key = "distributed-fallback."
                    + fuzz.mutated(fuzz.oneOf("store.read-timeout", "default.window", "breaker.rawg.windw", "x"));
            assertThat(problemsOf(key, "5s")).as(key).allSatisfy(ConfigurationFuzzTest::assertTold);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "default.", "breaker.", "breaker.rawg."})
    @Timeout(20)
    void a_key_of_a_hundred_thousand_characters_holds_nobody_up(String section) {
        String key = "distributed-fallback." + section + "x".repeat(50_000) + "." + "y".repeat(50_000);
        assertThat(problemsOf(key, "5s")).singleElement().satisfies(ConfigurationFuzzTest::assertTold);
    }

    @Test
    void a_line_break_in_a_key_begins_no_line() {
        String forged = "\n2026-11-30 ERROR forged";
        List<Problem> problems = new ArrayList<>(problemsOf("distributed-fallback.default.windw" + forged, "x"));
        problems.addAll(problemsOf("distributed-fallback.breaker.a" + forged + ".window", "x"));

        assertThat(problems).isNotEmpty().allSatisfy(ConfigurationFuzzTest::assertTold);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd", "jar:file:/x.jar!/y", "ftp://h/x", "gopher://h/", "data:text/plain,x",
                        "javascript:x", "https:h",
                "//h/x", "http:///x", "http://h:0/", "http://h:65536/", "http://h:99999/", "http:// h/", "http://h/\nx",
                "http://joe:hunter2@/x", "ftp://joe:hunter2@h/x", "http://joe:hunter2@h/ x"
            })
    void an_address_that_no_probe_may_ask_is_refused_and_its_login_not_repeated(String url) {
        assertThat(problemsOf("distributed-fallback.breaker.rawg.probe-url", url))
                .anySatisfy(problem -> assertThat(problem.code()).isEqualTo(ProblemCode.DFB201))
                .allSatisfy(ConfigurationFuzzTest::assertTold)
                .allSatisfy(problem -> assertThat(problem.toString()).doesNotContain("hunter2"));
    }
}
