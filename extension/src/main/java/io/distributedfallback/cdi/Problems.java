package io.distributedfallback.cdi;

import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** All problems in one message. */
final class Problems {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");
    private static final String FAULT_TOLERANCE = "org.eclipse.microprofile.faulttolerance.FallbackHandler";

    private Problems() {}

    /** Our annotation cannot even be read without the types that it names; the container would say so, but not so well. */
    static Optional<Problem> ofServer(ClassLoader loader) {
        try {
            Class.forName(FAULT_TOLERANCE, false, loader);
            return Optional.empty();
        } catch (ClassNotFoundException e) {
            return Optional.of(new Problem(
                    ProblemCode.DFB502,
                    "MicroProfile Fault Tolerance",
                    FAULT_TOLERANCE,
                    "Add the server's feature for it, on Open Liberty mpFaultTolerance-4.1"));
        }
    }

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
