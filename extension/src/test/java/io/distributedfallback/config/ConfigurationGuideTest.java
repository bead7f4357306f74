package io.distributedfallback.config;

import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.Timings;
import io.distributedfallback.docs.Guide;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The reference of keys is that of the code. */
class ConfigurationGuideTest {

    private static final String PAGE = "configuration.md";

    @Test
    void the_policys_keys_are_those_of_the_code_with_their_members() {
        String section = Guide.section(PAGE, "Policy of a breaker");
        assertThat(columns(section, 1, 2))
                .isEqualTo(Arrays.stream(PolicyKey.values())
                        .collect(TreeMap::new, (map, key) -> map.put(key.key(), key.memberName()), TreeMap::putAll));
    }

    @Test
    void the_policys_defaults_are_those_of_the_code() {
        Map<String, String> defaults = columns(Guide.section(PAGE, "Policy of a breaker"), 1, 3);
        assertThat(defaults)
                .containsEntry("failure-threshold", String.valueOf(Policy.DEFAULT.failureThreshold()))
                .containsEntry("minimum-calls", String.valueOf(Policy.DEFAULT.minimumCalls()))
                .containsEntry("quorum", String.valueOf(Policy.DEFAULT.quorum()));
        assertThat(Map.of(
                        "window", Policy.DEFAULT.window(),
                        "probe-interval", Policy.DEFAULT.probeInterval(),
                        "probe-lease", Policy.DEFAULT.probeLease(),
                        "probe-timeout", Policy.DEFAULT.probeTimeout(),
                        "cooldown", Policy.DEFAULT.cooldown(),
                        "max-cooldown", Policy.DEFAULT.maxCooldown()))
                .allSatisfy((key, duration) ->
                        assertThat(Durations.parse(defaults.get(key))).isEqualTo(duration));
    }

    @Test
    void the_policys_examples_can_be_read() {
        Map<String, String> examples = columns(Guide.section(PAGE, "Policy of a breaker"), 1, 5);
        for (PolicyKey key : PolicyKey.values()) {
            key.set(new PolicyBuilder(), examples.get(key.key()));
        }
    }

    @Test
    void the_instances_keys_are_those_of_the_code() {
        assertThat(Guide.codeInColumn(Guide.section(PAGE, "The instance"), 1))
                .containsExactlyInAnyOrderElementsOf(SettingsReader.KEYS);
    }

    @Test
    void the_instances_defaults_are_those_of_the_code() {
        Map<String, String> defaults = columns(Guide.section(PAGE, "The instance"), 1, 2);
        assertThat(defaults)
                .containsEntry("datasource", Settings.DEFAULT_DATASOURCE)
                .containsEntry("executor", Settings.DEFAULT_EXECUTOR);
        Map<String, Duration> timings = Map.of(
                "snapshot.fresh", Timings.DEFAULT.fresh(),
                "snapshot.max-age", Timings.DEFAULT.maxAge(),
                "store.read-timeout", Timings.DEFAULT.readTimeout(),
                "store.write-timeout", Timings.DEFAULT.writeTimeout(),
                "store.retire-after", Timings.DEFAULT.retireAfter().orElseThrow(),
                "history.retention", Timings.DEFAULT.historyRetention().orElseThrow());
        assertThat(timings)
                .allSatisfy((key, duration) ->
                        assertThat(Durations.parse(defaults.get(key))).isEqualTo(duration));
    }

    @Test
    void the_members_of_the_annotation_are_those_of_the_code() {
        assertThat(Guide.codeInColumn(Guide.section(PAGE, "Members of `@DistributedFallback`"), 1))
                .containsExactlyInAnyOrderElementsOf(MemberOverrides.MEMBERS);
    }

    @Test
    void the_members_of_the_annotations_beside_it_are_those_of_the_code() {
        assertThat(RungMembers.KNOWN)
                .allSatisfy((annotation, members) -> assertThat(
                                Guide.codeInColumn(Guide.section(PAGE, "Members of `@" + annotation + "`"), 1))
                        .containsExactlyInAnyOrderElementsOf(members));
    }

    private static Map<String, String> columns(String section, int key, int value) {
        List<String> keys = Guide.codeInColumn(section, key);
        List<String> values = Guide.codeInColumn(section, value);
        return IntStream.range(0, keys.size())
                .collect(TreeMap::new, (map, i) -> map.put(keys.get(i), values.get(i)), TreeMap::putAll);
    }
}
