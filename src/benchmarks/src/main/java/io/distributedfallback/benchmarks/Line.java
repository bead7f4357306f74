package io.distributedfallback.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A line of the table.
 *
 * @param cells name, ours, peer, ratio, goal, verdict
 * @param breaksTheBuild whether it misses a goal on which the build depends
 */
public record Line(List<String> cells, boolean breaksTheBuild) {

    private static final String NOTHING = "";

    /**
     * A figure of ours as a multiple of a peer's.
     *
     * @param unit of both, as {@code ns}
     * @param goal of the multiple; empty for one that is shown for information
     */
    public static Line ratio(String name, Samples ours, Samples peer, String unit, Optional<Goal> goal) {
        Samples ratio = ours.against(peer, (own, other) -> own / other);
        return line(
                name,
                List.of(figure(ours, unit), figure(peer, unit), ratio.show("%.2f")),
                goal.map(limit -> limit.bound() + plain(limit.limit())).orElse(NOTHING),
                verdict(ratio, goal),
                goal);
    }

    /**
     * What a figure of ours is above a peer's.
     *
     * @param unit of both, as {@code B}
     * @param goal of the difference; empty for one that is shown for information
     */
    public static Line difference(String name, Samples ours, Samples peer, String unit, Optional<Goal> goal) {
        Samples more = ours.against(peer, (own, other) -> own - other);
        return line(
                name,
                List.of(figure(ours, unit), figure(peer, unit), more.show("%+.0f") + " " + unit),
                goal.map(limit -> limit.bound() + "+" + plain(limit.limit()) + " " + unit)
                        .orElse(NOTHING),
                verdict(more, goal),
                goal);
    }

    /** A figure that no peer has. */
    public static Line figure(String name, Samples ours, String unit, Optional<Goal> goal) {
        return line(name, List.of(figure(ours, unit), NOTHING, NOTHING), bound(goal, unit), verdict(ours, goal), goal);
    }

    /** A figure of ours beside a peer's: the goal is of ours, whatever the peer's is. */
    public static Line beside(String name, Samples ours, Samples peer, String unit, Optional<Goal> goal) {
        Samples ratio = ours.against(peer, (own, other) -> own / other);
        return line(
                name,
                List.of(figure(ours, unit), figure(peer, unit), ratio.show(ratio.median() < 0.1 ? "%.4f" : "%.2f")),
                bound(goal, unit),
                verdict(ours, goal),
                goal);
    }

    /** Something that could not be measured. */
    static Line failure(Scenario scenario, Exception reason) {
        return new Line(
                List.of(scenario.getClass().getSimpleName(), reason.toString(), NOTHING, NOTHING, NOTHING, "missed"),
                true);
    }

    private static Line line(String name, List<String> figures, String goal, String verdict, Optional<Goal> judged) {
        boolean breaks = verdict.equals("missed") && judged.map(Goal::isBinding).orElse(false);
        return new Line(List.of(name, figures.get(0), figures.get(1), figures.get(2), goal, verdict), breaks);
    }

    private static String verdict(Samples judged, Optional<Goal> goal) {
        return goal.map(limit -> limit.isMetBy(judged.median()) ? "met" : "missed")
                .orElse(NOTHING);
    }

    private static String bound(Optional<Goal> goal, String unit) {
        return goal.map(limit -> (limit.bound() + plain(limit.limit()) + " " + unit).stripTrailing())
                .orElse(NOTHING);
    }

    private static String figure(Samples samples, String unit) {
        double median = samples.median();
        return (String.format(Locale.ROOT, format(median, unit), median) + " " + unit).stripTrailing();
    }

    private static String format(double value, String unit) {
        if (value >= 10 || value == 0 || unit.equals("B")) {
            return "%.0f";
        }
        return value >= 1 ? "%.1f" : "%.3f";
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
