package io.distributedfallback.benchmarks.call;

import io.distributedfallback.benchmarks.Extent;
import io.distributedfallback.benchmarks.Samples;
import io.distributedfallback.benchmarks.Server;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Lets all contenders run in each situation, a JVM for each, and that several times over: so what is compared was measured
 * within the same minutes.
 */
final class Rounds {

    private static final String LOGGING = "java.util.logging.config.file";

    private final Extent extent;
    private final String databaseUrl;
    private final Path log;
    private final Map<Situation, List<Map<Contender, Measurement>>> measured = new LinkedHashMap<>();

    /** @param log where JMH writes what it does */
    Rounds(Extent extent, String databaseUrl, Path log) {
        this.extent = extent;
        this.databaseUrl = databaseUrl;
        this.log = log;
    }

    void run(Map<Situation, Set<Contender>> program) throws RunnerException {
        int rounds = extent.isFull() ? 5 : 1;
        for (int round = 1; round <= rounds; round++) {
            for (Map.Entry<Situation, Set<Contender>> entry : program.entrySet()) {
                System.out.println("  round " + round + " of " + rounds + ": " + entry.getKey());
                measured.computeIfAbsent(entry.getKey(), situation -> new ArrayList<>())
                        .add(run(entry.getKey(), entry.getValue()));
            }
        }
    }

    private Map<Contender, Measurement> run(Situation situation, Set<Contender> contenders) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(GuardedCall.class.getName())
                .param("contender", contenders.stream().map(Contender::name).toArray(String[]::new))
                .param("open", Boolean.toString(situation.open()))
                .param("depth", Integer.toString(situation.depth()))
                .threads(situation.threads())
                .forks(1)
                .jvmArgs(
                        "-Xms384m",
                        "-Xmx384m",
                        situation.escapeAnalysis(),
                        "-D" + Server.DATABASE + "=" + databaseUrl,
                        "-D" + LOGGING + "=" + System.getProperty(LOGGING))
                .warmupIterations(extent.isFull() ? 3 : 2)
                .warmupTime(TimeValue.milliseconds(700))
                .measurementIterations(extent.isFull() ? 3 : 2)
                .measurementTime(TimeValue.milliseconds(500))
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .output(log.resolveSibling(
                                log.getFileName() + "." + situation.toString().replaceAll("\\W+", "-"))
                        .toString());
        return byContender(new Runner(options.build()).run());
    }

    private static Map<Contender, Measurement> byContender(Collection<RunResult> results) {
        Map<Contender, Measurement> measured = new EnumMap<>(Contender.class);
        results.forEach(result ->
                measured.put(Contender.valueOf(result.getParams().getParam("contender")), Measurement.of(result)));
        return measured;
    }

    boolean has(Situation situation, Contender contender) {
        return measured.getOrDefault(situation, List.of()).stream().allMatch(round -> round.containsKey(contender));
    }

    Samples nanos(Situation situation, Contender contender) {
        return samples(situation, contender, Measurement::nanos);
    }

    Samples bytes(Situation situation, Contender contender) {
        return samples(situation, contender, Measurement::bytes);
    }

    private Samples samples(Situation situation, Contender contender, ToDoubleFunction<Measurement> figure) {
        return new Samples(measured.get(situation).stream()
                .map(round -> figure.applyAsDouble(round.get(contender)))
                .toList());
    }
}
