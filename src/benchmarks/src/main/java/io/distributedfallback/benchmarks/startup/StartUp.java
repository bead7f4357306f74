package io.distributedfallback.benchmarks.startup;

import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Samples;
import io.distributedfallback.benchmarks.Scenario;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the extension adds to the deployment of 500 guarded methods, above an interceptor that does nothing. The store is
 * not in it: it is opened after the deployment, in the background.
 */
public final class StartUp implements Scenario {

    private static final int BOOTS = 9;
    private static final int WARM_UP = 4;

    private final Path folder;

    /** @param folder for the classes of the application */
    public StartUp(Path folder) {
        this.folder = folder.resolve("start-up");
    }

    @Override
    public List<Line> measure(Extent extent) throws IOException {
        Map<Variant, ManyBeans> applications = new EnumMap<>(Variant.class);
        Map<Variant, List<Double>> first = new EnumMap<>(Variant.class);
        Map<Variant, List<Double>> warm = new EnumMap<>(Variant.class);
        for (Variant variant : Variant.values()) {
            applications.put(variant, ManyBeans.compile(folder.resolve(variant.name()), variant));
            first.put(variant, new ArrayList<>());
            warm.put(variant, new ArrayList<>());
        }
        for (int round = extent.isFull() ? 7 : 1; round > 0; round--) {
            for (Variant variant : Variant.values()) {
                List<Double> boots = boots(variant, applications.get(variant));
                first.get(variant).add(boots.get(0));
                warm.get(variant).add(new Samples(boots.subList(WARM_UP, BOOTS)).median());
            }
        }
        return List.of(line("start-up, 500 methods, first in a JVM", first), line("start-up, 500 methods, warm", warm));
    }

    private static Line line(String name, Map<Variant, List<Double>> millis) {
        return Line.difference(
                name,
                new Samples(millis.get(Variant.GUARDED)),
                new Samples(millis.get(Variant.PASSED_THROUGH)),
                "ms",
                Goal.atMost(100));
    }

    /** In a JVM of their own. */
    private static List<Double> boots(Variant variant, ManyBeans application) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Boots.class.getName()));
        command.addAll(List.of(variant.name(), application.folder().toString(), Integer.toString(BOOTS)));
        Process process = new ProcessBuilder(command)
                .redirectError(new File(application.folder().toFile(), "boots.log"))
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<Double> millis = printed.lines().map(Double::valueOf).toList();
        if (millis.size() != BOOTS) {
            throw new IOException(variant + " started " + millis.size() + " times: see " + application.folder());
        }
        return millis;
    }
}
