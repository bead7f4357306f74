package io.distributedfallback.benchmarks;

import io.distributedfallback.benchmarks.call.GuardedCalls;
import io.distributedfallback.benchmarks.startup.StartUp;
import io.distributedfallback.benchmarks.store.Cluster;
import io.distributedfallback.benchmarks.store.HotRow;
import io.distributedfallback.benchmarks.store.ManyRows;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Measures, and prints one table: {@code mvn -B verify -pl src/benchmarks -am -DskipTests -Dbenchmarks=full}. The quick
 * form belongs to every build; it fails on what does not depend on the machine (bytes, statements), never on a time.
 */
public final class Benchmarks {

    private final Extent extent;
    private final Path folder;
    private final Set<String> wanted;
    private final Table table = new Table();

    private Benchmarks(Extent extent, Path folder, Set<String> wanted) {
        this.extent = extent;
        this.folder = folder;
        this.wanted = wanted;
    }

    /**
     * Takes the {@link Extent}, or {@code none}, the folder for the table and the logs, and the names of scenarios with
     * commas between them, or {@code all}.
     */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("none")) {
            return;
        }
        Benchmarks benchmarks =
                new Benchmarks(Extent.of(arguments[0]), Path.of(arguments[1]), Set.of(arguments[2].split(",")));
        System.exit(benchmarks.breakTheBuild() ? 1 : 0);
    }

    private boolean breakTheBuild() throws Exception {
        table.describe(machine());
        measure(List.of(new GuardedCalls(folder), new StartUp(folder)));
        try (Database database = Database.durable(folder.resolve("postgresql"))) {
            table.describe(database.describe());
            measure(List.of(new HotRow(database), new Cluster(database), new ManyRows(database)));
        }
        System.out.println("\n" + table);
        Files.writeString(folder.resolve("benchmarks.txt"), table.toString());
        return table.breaksTheBuild();
    }

    private void measure(List<Scenario> scenarios) {
        for (Scenario scenario : scenarios) {
            String name = scenario.getClass().getSimpleName();
            if (wanted.contains("all") || wanted.contains(name)) {
                System.out.println("Measuring " + name);
                table.add(lines(scenario));
            }
        }
    }

    private List<Line> lines(Scenario scenario) {
        try {
            return scenario.measure(extent);
        } catch (Exception failure) {
            failure.printStackTrace();
            return List.of(Line.failure(scenario, failure));
        }
    }

    private static String machine() {
        return System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, "
                + System.getProperty("java.vm.name") + " " + Runtime.version() + ", load "
                + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage() + " when it began";
    }
}
