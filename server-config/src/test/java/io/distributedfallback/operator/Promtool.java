package io.distributedfallback.operator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Prometheus' own tool, as a process. */
final class Promtool {

    private static final String MISSING =
            "promtool is not installed: it tests the alert rules. Install Debian's package "
                    + "prometheus (apt-get install prometheus), or put promtool of any Prometheus from 2.42 on onto the PATH";

    private Promtool() {}

    /**
     * Runs it.
     *
     * @param directory where relative paths of the arguments start
     */
    static Outcome run(Path directory, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add("promtool");
        command.addAll(List.of(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), said);
        } catch (IOException e) {
            throw new UncheckedIOException(MISSING, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /**
     * What it said.
     *
     * @param code 0 if all is well
     * @param said both of its outputs
     */
    record Outcome(int code, String said) {}
}
