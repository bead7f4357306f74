package io.distributedfallback.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The Grafana dashboard asks Prometheus only what it can answer. */
class DashboardTest {

    private static final Path DASHBOARD = Path.of("src/main/resources/grafana/distributed-fallback.json");
    private static final Path RULES = Path.of("src/main/resources/prometheus/distributed-fallback.rules.yml");

    private static JsonNode dashboard;

    @BeforeAll
    static void read() throws IOException {
        dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    }

    @Test
    void it_is_a_dashboard_with_a_choice_of_data_source_and_breaker() {
        assertThat(dashboard.path("schemaVersion").asInt()).isGreaterThanOrEqualTo(39);
        assertThat(dashboard.path("uid").asText()).isNotBlank();
        assertThat(texts("/templating/list", "name")).contains("datasource", "breaker");
    }

    @Test
    void each_panel_has_a_number_a_place_and_a_word_on_what_it_shows() {
        List<Integer> numbers = new ArrayList<>();
        boolean[][] taken = new boolean[200][24];
        for (JsonNode panel : dashboard.path("panels")) {
            numbers.add(panel.path("id").asInt());
            JsonNode place = panel.path("gridPos");
            for (int y = 0; y < place.path("h").asInt(); y++) {
                for (int x = 0; x < place.path("w").asInt(); x++) {
                    boolean[] line = taken[place.path("y").asInt() + y];
                    int column = place.path("x").asInt() + x;
                    assertThat(line[column]).as(panel.path("title").asText()).isFalse();
                    line[column] = true;
                }
            }
            if (!panel.path("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).isNotBlank();
                assertThat(panel.path("targets")).isNotEmpty();
            }
        }
        assertThat(numbers).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }

    @Test
    void prometheus_can_read_each_expression(@TempDir Path directory) throws IOException {
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        List<String> expressions = expressions();
        for (int i = 0; i < expressions.size(); i++) {
            rules.append("  - record: panel:")
                    .append(i)
                    .append("\n    expr: '")
                    .append(expressions.get(i).replace("'", "''"))
                    .append("'\n");
        }
        assertThat(rules.toString()).doesNotContain("$");
        Files.writeString(directory.resolve("dashboard.yml"), rules);
        Promtool.Outcome outcome = Promtool.run(directory, "check", "rules", "dashboard.yml");
        assertThat(outcome.code()).as(outcome.said()).isZero();
        assertThat(outcome.said()).contains(expressions.size() + " rules found");
    }

    @Test
    void it_and_the_rules_ask_only_for_metrics_that_exist() throws IOException {
        List<String> asked = new ArrayList<>(expressions());
        texts("/templating/list", "definition").forEach(asked::add);
        asked.add(Files.readString(RULES)
                .replaceAll("(?m)^\\s*(#|- record:).*$", "")
                .replaceAll("\\w+:distributedfallback_\\w+:\\w+", ""));
        assertThat(asked.stream().flatMap(DashboardTest::metrics).distinct())
                .isNotEmpty()
                .isSubsetOf(MetricNames.inPrometheus());
    }

    private static Stream<String> metrics(String expression) {
        return Pattern.compile("distributedfallback_[a-z_]+")
                .matcher(expression)
                .results()
                .map(match -> match.group());
    }

    /** The expressions of panels and annotations, with values for Grafana's variables. */
    private static List<String> expressions() {
        List<String> expressions = new ArrayList<>(texts("/annotations/list", "expr"));
        for (JsonNode panel : dashboard.path("panels")) {
            panel.path("targets")
                    .forEach(target -> expressions.add(target.path("expr").asText()));
        }
        return expressions.stream()
                .map(expression -> expression
                        .replace("$__rate_interval", "2m")
                        .replace("$job", ".+")
                        .replace("$breaker", ".+"))
                .toList();
    }

    private static List<String> texts(String list, String field) {
        List<String> texts = new ArrayList<>();
        dashboard.at(list).forEach(one -> {
            if (one.has(field)) {
                texts.add(one.path(field).asText());
            }
        });
        return texts;
    }
}
