package io.distributedfallback.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The metrics of the product, out of the list in its code. */
final class MetricNames {

    private static final Path LIST = Path.of("../extension/src/main/java/io/distributedfallback/observe/Metric.java");
    private static final Pattern NAME = Pattern.compile("\"(distributedfallback[.][a-z.]+)\"");

    private MetricNames() {}

    /** As Prometheus has them: with underscores, and with what each kind of metric adds. */
    static List<String> inPrometheus() throws IOException {
        return NAME.matcher(Files.readString(LIST))
                .results()
                .map(name -> name.group(1).replace('.', '_'))
                .flatMap(name -> name.endsWith("_duration")
                        ? Stream.of("", "_sum", "_count", "_bucket").map(suffix -> name + "_seconds" + suffix)
                        : Stream.of(name))
                .toList();
    }
}
