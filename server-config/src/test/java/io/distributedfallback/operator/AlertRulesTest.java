package io.distributedfallback.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The alert rules, in the hands of Prometheus' own tool. */
class AlertRulesTest {

    private static final Path RULES = Path.of("src/main/resources/prometheus/distributed-fallback.rules.yml");
    private static final Path SERIES = Path.of("src/test/resources/prometheus");

    @Test
    void prometheus_takes_the_rules() {
        Promtool.Outcome outcome = Promtool.run(Path.of("."), "check", "rules", RULES.toString());
        assertThat(outcome.code()).as(outcome.said()).isZero();
    }

    static List<Path> series() throws IOException {
        try (Stream<Path> files = Files.list(SERIES)) {
            return files.filter(file -> file.toString().endsWith(".test.yml"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("series")
    void alerts_are_raised_and_cleared_as_the_sample_series_say(Path series) {
        Promtool.Outcome outcome =
                Promtool.run(SERIES, "test", "rules", series.getFileName().toString());
        assertThat(outcome.code()).as(outcome.said()).isZero();
    }

    @Test
    void every_alert_is_tested_and_explained_and_leads_to_a_section_of_the_guide() throws IOException {
        String rules = Files.readString(RULES);
        String guide = Files.readString(Path.of("../src/site/markdown/alerts.md"));
        StringBuilder tests = new StringBuilder();
        for (Path file : series()) {
            tests.append(Files.readString(file));
        }
        List<String> alerts = matches("- alert: (\\w+)", rules);
        assertThat(alerts)
                .hasSizeGreaterThanOrEqualTo(7)
                .doesNotHaveDuplicates()
                .allSatisfy(alert -> {
                    assertThat(tests).contains("alertname: " + alert + "\n");
                    assertThat(guide).contains("`" + alert + "`");
                });
        List<String> anchors = matches("runbook_url: alerts[.]html#([a-z-]+)", rules);
        assertThat(anchors)
                .hasSameSizeAs(alerts)
                .allSatisfy(anchor -> assertThat(headings(guide)).contains(anchor));
    }

    private static List<String> headings(String page) {
        return matches("(?m)^##+ (.+)$", page).stream()
                .map(heading -> heading.toLowerCase(Locale.ROOT).replace(' ', '-'))
                .toList();
    }

    private static List<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }
}
