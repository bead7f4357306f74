package io.distributedfallback.observe;

import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.LimitReason;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Writes to the log what becomes of calls under a limit: few lines, however many calls there are. */
final class LimitLines implements BreakerListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final AtMostOncePer minute;
    private final AtMostOncePer fiveMinutes;
    private volatile boolean lossTold;

    LimitLines(MonotonicClock clock) {
        this.minute = new AtMostOncePer(Duration.ofMinutes(1), clock);
        this.fiveMinutes = new AtMostOncePer(Duration.ofMinutes(5), clock);
    }

    @Override
    public void fallbackLimited(String breaker, String limit, LimitReason reason) {
        // A pause is told of when it begins.
        if (reason != LimitReason.PAUSE && minute.allows(reason + " " + limit)) {
            log(
                    Level.WARNING,
                    new Problem(
                            ProblemCode.DFB417,
                            "limit " + limit,
                            reason.text() + ", breaker " + breaker,
                            "Callers get a FallbackLimitedException with the time to retry. Raise the limit if the fallback can"
                                    + " take more, or let @LastGood answer before it"));
        }
    }

    @Override
    public void fallbackPaused(String limit, Duration pause, String failure) {
        if (minute.allows("paused " + limit)) {
            log(
                    Level.WARNING,
                    new Problem(
                            ProblemCode.DFB418,
                            "limit " + limit,
                            failure.isEmpty() ? "as another instance has found" : failure,
                            "Callers get a FallbackLimitedException for " + Math.max(1, pause.toSeconds())
                                    + " s, and longer if it fails again. See what is wrong with the fallback"));
        }
    }

    @Override
    public void permitsLost(String limit, int share, StoreException reason) {
        // A database that comes and goes for the same reason is told of once in five minutes.
        lossTold = fiveMinutes.allows("permits " + limit + reason.code());
        log(
                lossTold ? Level.WARNING : Level.DEBUG,
                new Problem(
                        ProblemCode.DFB316,
                        "limit " + limit,
                        reason.getMessage(),
                        "Until it does, this instance lets " + share + " calls a second pass, its share of late"));
    }

    @Override
    public void permitsBack(String limit) {
        LOG.log(
                lossTold ? Level.INFO : Level.DEBUG,
                "{0}: {1}: limit {2}",
                ProblemCode.DFB317,
                ProblemCode.DFB317.summary(),
                limit);
    }

    private static void log(Level level, Problem problem) {
        LOG.log(level, "{0}", problem);
    }
}
