package io.distributedfallback.cdi;

import io.distributedfallback.core.Problem;
import java.util.Collection;
import java.util.stream.Collectors;

/** All problems in one message. */
final class Problems {

    private Problems() {}

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    static void warn(Problem problem) {
        LOG.log(System.Logger.Level.WARNING, "{0}", problem);
    }

    static String message(Collection<Problem> problems) {
        return problems.stream()
                .map(Problem::toString)
                .collect(Collectors.joining(
                        "\n  ",
                        "Distributed Fallback found " + problems.size()
                                + (problems.size() == 1 ? " problem" : " problems") + " in this deployment:\n  ",
                        ""));
    }
}
