package io.distributedfallback.config;

import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.Problem;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** Reads when an alert is raised. */
final class AlertsReader {

    private static final String OPEN_FOR = "alerts.open-for";
    private static final String FALLBACK_SHARE = "alerts.fallback-share";
    private static final String MINIMUM_CALLS = "alerts.minimum-calls";
    private static final String FLAPPING_OPENINGS = "alerts.flapping-openings";

    /** All keys, without {@link ConfigValues#PREFIX}. */
    static final Set<String> KEYS = new TreeSet<>(Set.of(OPEN_FOR, FALLBACK_SHARE, MINIMUM_CALLS, FLAPPING_OPENINGS));

    private final ConfigValues values;
    private final Consumer<Problem> problems;

    AlertsReader(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        this.problems = problems;
    }

    /** The rules, with the default in the place of each value that is not usable. */
    AlertRules read() {
        return new AlertRules(
                value(
                        OPEN_FOR,
                        Durations::parseOrOff,
                        "a positive duration, such as 5m, or off",
                        AlertRules.DEFAULT.openFor()),
                value(
                        FALLBACK_SHARE,
                        PolicyKey::share,
                        "a number above 0 and up to 1, such as 0.1, or off",
                        AlertRules.DEFAULT.fallbackShare()),
                value(MINIMUM_CALLS, PolicyKey::count, "a whole number, such as 20", AlertRules.DEFAULT.minimumCalls()),
                value(
                        FLAPPING_OPENINGS,
                        PolicyKey::count,
                        "a whole number, such as 3",
                        AlertRules.DEFAULT.flappingOpenings()));
    }

    private <T> T value(String key, Function<String, T> parser, String expected, T otherwise) {
        return values.find(ConfigValues.PREFIX + key, problems)
                .flatMap(found -> found.read(parser, expected, problems))
                .orElse(otherwise);
    }
}
