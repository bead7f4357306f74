package io.distributedfallback.cdi;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Says, once, that the admin is switched on and that nobody lets it in: else there is nothing but a 404. It waits until no
 * web application has started for a while, because the one that lets the admin in may be the last of an EAR. Thread-safe.
 */
final class AdminNotice {

    static final Duration QUIET = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final Background background;
    private final boolean wanted;
    private final BooleanSupplier letIn;
    private final AtomicInteger starts = new AtomicInteger();
    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * @param wanted whether the admin is switched on, and what is said of it is usable
     * @param letIn whether the server has asked it in
     */
    AdminNotice(Background background, boolean wanted, BooleanSupplier letIn) {
        this.background = background;
        this.wanted = wanted;
        this.letIn = letIn;
    }

    /** A web application, or another module, has started. */
    void started() {
        int start = starts.incrementAndGet();
        if (!wanted || letIn.getAsBoolean()) {
            return;
        }
        try {
            background.schedule(QUIET, () -> look(start));
        } catch (RejectedExecutionException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "nobody looks whether the admin was let in", e);
        }
    }

    private void look(int start) {
        if (start == starts.get() && !letIn.getAsBoolean() && told.compareAndSet(false, true)) {
            Problems.warn(new Problem(
                    ProblemCode.DFB509,
                    "distributed-fallback.admin.enabled",
                    "true",
                    "Add to the web application the file META-INF/services/jakarta.servlet.ServletContainerInitializer"
                            + " (in Maven below src/main/resources) with the line"
                            + " io.distributedfallback.admin.AdminInitializer, and have this jar in its WEB-INF/lib, not"
                            + " in the lib of an EAR"));
        }
    }
}
