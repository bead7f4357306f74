package io.distributedfallback.observe;

import io.distributedfallback.BreakerCommanded;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.FailureKind;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.StoreException;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Writes what the engine tells to the log: few lines, each with its code and its remedy, and no floods. */
public final class LogLines implements BreakerListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final AtMostOncePer minute;
    private final AtMostOncePer fiveMinutes;
    private volatile boolean lossTold;
    private volatile boolean silenceTold;

    public LogLines(MonotonicClock clock) {
        this.minute = new AtMostOncePer(Duration.ofMinutes(1), clock);
        this.fiveMinutes = new AtMostOncePer(Duration.ofMinutes(5), clock);
    }

    @Override
    public void transitioned(BreakerTransition transition) {
        boolean opened = transition.to() == BreakerState.OPEN;
        log(
                opened ? Level.WARNING : Level.INFO,
                new Problem(
                        opened ? ProblemCode.DFB404 : ProblemCode.DFB405,
                        "breaker " + transition.breaker(),
                        transition.from() + " -> " + transition.to() + ", cause " + transition.cause()
                                + ", by instance " + transition.instance(),
                        opened
                                ? "Calls go to the fallback until the provider has passed its probes"
                                : "Calls go to the provider again"));
    }

    @Override
    public void rampsUp(String breaker, Duration length) {
        log(
                Level.INFO,
                new Problem(
                        ProblemCode.DFB423,
                        "breaker " + breaker,
                        "ramp-up is " + length,
                        "Of all instances a growing share of the calls goes to the provider, and the rest to the fallback. A"
                                + " failure among that share opens the breaker again at once, unless failure-ratio is on"));
    }

    @Override
    public void commanded(BreakerCommanded commanded) {
        OperatorCommand command = commanded.command();
        boolean forced = command.action() == Action.FORCE_OPEN || command.action() == Action.FORCE_CLOSED;
        log(
                forced ? Level.WARNING : Level.INFO,
                new Problem(
                        forced ? ProblemCode.DFB410 : ProblemCode.DFB411,
                        "breaker " + commanded.breaker(),
                        command.action()
                                + command.expiry().map(time -> " for " + time).orElse("") + ", by " + command.by()
                                + ": " + command.reason(),
                        command.action() == Action.FORCE_OPEN
                                ? "Calls of all instances go to the fallback until that ends or is cleared"
                                : command.action() == Action.FORCE_CLOSED
                                        ? "Calls of all instances go to the provider until that ends or is cleared, also"
                                                + " if it fails"
                                        : "Calls of all instances go where the state says"));
    }

    @Override
    public void misconfigured(String breaker, String failure) {
        if (minute.allows("misconfigured " + breaker)) {
            log(
                    Level.ERROR,
                    new Problem(
                            ProblemCode.DFB401,
                            "breaker " + breaker,
                            failure,
                            "Check the key, the credentials and the address; this never opens the breaker, and the fallback answers"));
        }
    }

    @Override
    public void probed(String breaker, ProbeVerdict verdict, String reason) {
        if (verdict == ProbeVerdict.INCONCLUSIVE) {
            if (minute.allows("probed " + breaker + reason)) {
                log(
                        Level.WARNING,
                        new Problem(
                                ProblemCode.DFB402,
                                "breaker " + breaker,
                                reason,
                                "It says nothing about the provider's health, so the breaker stays open and the probe is"
                                        + " repeated; mend the probe, or the key it uses, if this goes on"));
            }
            return;
        }
        LOG.log(Level.DEBUG, "probe of breaker {0}: {1} {2}", breaker, verdict, reason);
    }

    @Override
    public void storeLost(StoreException reason) {
        // A store that comes and goes for the same reason is told of once in five minutes.
        lossTold = fiveMinutes.allows("lost " + reason.code());
        LOG.log(
                lossTold ? Level.WARNING : Level.DEBUG,
                "{0}. Until the store is back this instance keeps its breakers in memory and breaks on its own evidence",
                reason.getMessage());
        Retold.log(LOG, Level.DEBUG, "how the store was lost", reason);
    }

    @Override
    public void storeBack(Duration away, int failures) {
        LOG.log(
                lossTold ? Level.INFO : Level.DEBUG,
                "{0}: {1} after {2} s; its word counts again. Failures offered to it: {3}",
                ProblemCode.DFB308,
                ProblemCode.DFB308.summary(),
                Long.toString(away.toSeconds()),
                Integer.toString(failures));
    }

    @Override
    public void guardsItsStore(String breaker, String evidence) {
        log(
                Level.WARNING,
                new Problem(
                        ProblemCode.DFB425,
                        "breaker " + breaker,
                        evidence + ", of its calls and of the store",
                        "When that database is away each instance can keep this breaker for itself only, and opens it after"
                                + " failures of its own. That works, and all agree again when the database is back; if"
                                + " they are to agree meanwhile, keep the breakers in another database"));
    }

    @Override
    public void notListening(StoreException reason, boolean insisted) {
        // A connection that comes and goes for the same reason is told of once in five minutes.
        silenceTold = fiveMinutes.allows("silence " + reason.code());
        Problem problem = new Problem(
                ProblemCode.DFB315,
                "the connection that listens",
                reason.getMessage(),
                "Nothing is lost, changes are found with the next read; it is taken up again by itself");
        LOG.log(
                !silenceTold ? Level.DEBUG : insisted ? Level.WARNING : Level.INFO,
                "{0}",
                reason.code() == ProblemCode.DFB313 ? reason.getMessage() : problem);
        Retold.log(LOG, Level.DEBUG, "why changes are not heard of at once", reason);
    }

    @Override
    public void listening() {
        LOG.log(silenceTold ? Level.INFO : Level.DEBUG, "{0}: {1}", ProblemCode.DFB314, ProblemCode.DFB314.summary());
    }

    @Override
    public void storeTrouble(StoreException reason) {
        if (minute.allows("trouble " + reason.code())) {
            LOG.log(Level.WARNING, "{0}", reason.getMessage());
        }
    }

    @Override
    public void misread(Problem problem) {
        log(Level.WARNING, problem);
    }

    @Override
    public void thresholdDiffers(String breaker, int here, int there) {
        log(
                Level.WARNING,
                new Problem(
                        ProblemCode.DFB407,
                        "breaker " + breaker,
                        "failure-threshold is " + here + " here, and " + there + " where the last failure was counted",
                        "A failure is held against the threshold of the instance that sees it. That is as it should be"
                                + " while a change rolls out; else give all instances the same configuration"));
    }

    @Override
    public void tooManyKeys(String breaker, int most) {
        if (fiveMinutes.allows("keys " + breaker)) {
            log(
                    Level.WARNING,
                    new Problem(
                            ProblemCode.DFB408,
                            "breaker " + breaker,
                            "max-keys is " + most,
                            "Calls with further keys share the breaker " + breaker
                                    + " until others have been idle for two"
                                    + " minutes. See that the key is a tenant, a region or the like and not whatever"
                                    + " users type, or raise distributed-fallback.breaker." + breaker + ".max-keys"));
        }
    }

    @Override
    public void keepsAwayAlone(String breaker, boolean away) {
        log(
                away ? Level.WARNING : Level.INFO,
                new Problem(
                        ProblemCode.DFB409,
                        "breaker " + breaker,
                        away
                                ? "the provider fails here, and not on as many instances as the quorum asks for"
                                : "the provider answers here again, or all instances agree that it fails",
                        away
                                ? "Calls of this instance go to the fallback until its own probes pass. Look at its network,"
                                        + " its name service and its credentials"
                                : "This instance does what all do"));
    }

    @Override
    public void classifierFailed(String breaker, FailureKind taken, Throwable thrown) {
        if (minute.allows("classifier " + breaker + thrown.getClass())) {
            log(
                    Level.WARNING,
                    new Problem(
                            ProblemCode.DFB406,
                            "breaker " + breaker,
                            FailureText.of(thrown),
                            "The failure was taken for " + taken + "; a classifier must return and never throw"));
        }
    }

    private static void log(Level level, Problem problem) {
        LOG.log(level, "{0}", problem);
    }
}
