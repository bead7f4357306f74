package io.distributedfallback.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The lines of all scenarios, as a table that can be pasted in the guide. */
final class Table {

    private static final List<String> HEAD = List.of("name", "ours", "peer", "ratio", "goal", "met or missed");

    private final String machine;
    private final List<Line> lines = new ArrayList<>();

    Table(String machine) {
        this.machine = machine;
    }

    void add(List<Line> measured) {
        lines.addAll(measured);
    }

    boolean breaksTheBuild() {
        return lines.stream().anyMatch(Line::breaksTheBuild);
    }

    @Override
    public String toString() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        lines.forEach(line -> rows.add(line.cells()));
        List<Integer> widths = IntStream.range(0, HEAD.size())
                .mapToObj(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElse(0))
                .toList();
        List<String> rule = widths.stream().map(width -> "-".repeat(width)).toList();
        rows.add(1, rule);
        return machine + "\n\n"
                + rows.stream().map(row -> show(row, widths)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String show(List<String> row, List<Integer> widths) {
        return IntStream.range(0, row.size())
                .mapToObj(column -> row.get(column)
                        + String.join(
                                "",
                                Collections.nCopies(
                                        widths.get(column) - row.get(column).length(), " ")))
                .collect(Collectors.joining(" | ", "| ", " |"));
    }
}
