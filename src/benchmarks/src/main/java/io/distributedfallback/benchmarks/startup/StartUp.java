package io.distributedfallback.benchmarks.startup;

import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Goal;
import io.distributedfallback.benchmarks.Line;
import io.distributedfallback.benchmarks.Samples;
import io.distributedfallback.benchmarks.Scenario;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What the extension adds to the deployment of 500 guarded methods, above an interceptor that does nothing. The store is
 * not in it: it is opened after the deployment, in the background.
 *
 * <ol>
 *   <li><b>On a server that has started</b>: the container is warm, and nothing of the extension has been loaded yet. It
 *       is what happens on a server, and the goal is for this.
 *   <li><b>In a new JVM</b>: whatever the extension needs is loaded and interpreted for the first time, also what any
 *       other deployment needs.
 *   <li><b>Again</b>: the extension is warm as well.
 * </ol>
 */
public final class StartUp implements Scenario {

    /** Deployments after which a container is warm. */
    private static final int WARM_UP = 5;

    private static final int ROUNDS = 7;

    private static final Goal GOAL = Goal.atMost(100);

    private final Path folder;

    /** @param folder for the classes of the applications */
    public StartUp(Path folder) {
        this.folder = folder.resolve("start-up");
    }

    @Override
    public List<Line> measure(Extent extent) throws IOException {
        if (!extent.isFull()) {
            // One round of what depends on the machine says nothing.
            return List.of();
        }
        for (Variant variant : Variant.values()) {
            ManyBeans.compile(folder.resolve(variant.name()), variant);
        }
        return List.of(
                line("on a server that has started", WARM_UP, 0, Optional.of(GOAL)),
                line("in a new JVM", 0, 0, Optional.empty()),
                line("again", WARM_UP, WARM_UP, Optional.empty()));
    }

    private Line line(String when, int othersBefore, int sameBefore, Optional<Goal> goal) throws IOException {
        List<Double> ours = new ArrayList<>();
        List<Double> floor = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            ours.add(millis(Variant.GUARDED, othersBefore, sameBefore));
            floor.add(millis(Variant.PASSED_THROUGH, othersBefore, sameBefore));
        }
        return Line.difference(
                "start-up of 500 guarded methods " + when + ", processor time",
                new Samples(ours),
                new Samples(floor),
                "ms",
                goal);
    }

    /** The last deployment of a JVM. */
    private double millis(Variant variant, int othersBefore, int sameBefore) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djava.util.logging.config.file=" + System.getProperty("java.util.logging.config.file"),
                "-cp",
                System.getProperty("java.class.path"),
                Boots.class.getName(),
                folder.toString()));
        command.addAll(Collections.nCopies(othersBefore, Variant.PASSED_THROUGH.name()));
        command.addAll(Collections.nCopies(sameBefore + 1, variant.name()));
        Process process = new ProcessBuilder(command)
                .redirectError(folder.resolve("boots.log").toFile())
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        List<String> millis = printed.lines().toList();
        if (millis.size() != othersBefore + sameBefore + 1) {
            throw new IOException("only " + millis.size() + " of the deployments succeeded: see " + folder);
        }
        return Double.parseDouble(millis.get(millis.size() - 1));
    }
}
