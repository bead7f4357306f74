package io.distributedfallback.benchmarks;

import io.distributedfallback.benchmarks.call.GuardedCalls;
import io.distributedfallback.benchmarks.startup.StartUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures, and prints one table: {@code mvn -B verify -pl src/benchmarks -am -DskipTests -Dbenchmarks=full}. The quick
 * form belongs to every build; it fails on what does not depend on the machine (bytes, statements), never on a time.
 */
public final class Benchmarks {

    private Benchmarks() {}

    /** Takes the {@link Extent}, or {@code none}, and the folder for the table and the logs. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("none")) {
            return;
        }
        Extent extent = Extent.of(arguments[0]);
        Path folder = Path.of(arguments[1]);
        Table table = new Table(machine());
        for (Scenario scenario : List.of(new GuardedCalls(folder), new StartUp(folder))) {
            System.out.println("Measuring " + scenario.getClass().getSimpleName());
            table.add(lines(scenario, extent));
        }
        System.out.println("\n" + table);
        Files.writeString(folder.resolve("benchmarks.txt"), table.toString());
        System.exit(table.breaksTheBuild() ? 1 : 0);
    }

    private static List<Line> lines(Scenario scenario, Extent extent) {
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
                + System.getProperty("java.vm.name") + " " + Runtime.version();
    }
}
