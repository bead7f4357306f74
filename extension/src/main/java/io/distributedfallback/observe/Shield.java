package io.distributedfallback.observe;

import io.distributedfallback.core.CallMeter;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.FallbackReason;
import io.distributedfallback.core.Instruments;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.ProbeVerdict;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.StoreMeter;
import io.distributedfallback.core.Tracing;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stands between those who watch and what they watch. A registry that has been closed or an exporter that fails throws on
 * the thread of a call, or makes a write look as if it had failed: here that ends, and is told once in a minute. Costs a
 * call nothing.
 */
final class Shield {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final AtMostOncePer minute;

    Shield(MonotonicClock clock) {
        minute = new AtMostOncePer(Duration.ofMinutes(1), clock);
    }

    Instruments over(Instruments instruments) {
        Tracing tracing = get("spans", instruments::tracing, Tracing.NONE);
        Tracing shielded = tracing == Tracing.NONE ? tracing : over(tracing);
        return new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                return get("metrics of calls", () -> instruments.meter(breaker), Optional.<CallMeter>empty())
                        .map(Shield.this::over);
            }

            @Override
            public Tracing tracing() {
                return shielded;
            }
        };
    }

    private CallMeter over(CallMeter meter) {
        return outcome -> {
            try {
                meter.count(outcome);
            } catch (RuntimeException | Error trouble) {
                tell("metrics of calls", trouble);
            }
        };
    }

    StoreMeter over(StoreMeter meter) {
        return new StoreMeter() {
            @Override
            public void measured(Operation operation, long nanos, boolean failed) {
                run("metrics of the store", () -> meter.measured(operation, nanos, failed));
            }

            @Override
            public void carried(long failures) {
                run("metrics of the store", () -> meter.carried(failures));
            }
        };
    }

    private Tracing over(Tracing tracing) {
        return new Tracing() {
            @Override
            public Trace fallback(String breaker, FallbackReason reason) {
                return shielded(() -> tracing.fallback(breaker, reason));
            }

            @Override
            public Trace probe(String breaker) {
                return shielded(() -> tracing.probe(breaker));
            }
        };
    }

    private Tracing.Trace shielded(Supplier<Tracing.Trace> begin) {
        Tracing.Trace trace = get("spans", begin, Tracing.Trace.NONE);
        return new Tracing.Trace() {
            @Override
            public void leave() {
                run("spans", trace::leave);
            }

            @Override
            public void failed(Throwable thrown) {
                run("spans", () -> trace.failed(thrown));
            }

            @Override
            public void found(ProbeVerdict verdict) {
                run("spans", () -> trace.found(verdict));
            }

            @Override
            public void end() {
                run("spans", trace::end);
            }
        };
    }

    private void run(String what, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error trouble) {
            tell(what, trouble);
        }
    }

    private <T> T get(String what, Supplier<T> source, T otherwise) {
        try {
            return source.get();
        } catch (RuntimeException | Error trouble) {
            tell(what, trouble);
            return otherwise;
        }
    }

    private void tell(String what, Throwable trouble) {
        if (minute.allows(what)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}",
                    new Problem(
                            ProblemCode.DFB503,
                            what,
                            FailureText.of(trouble),
                            "The application works as ever, and what breakers do is not shown there"));
            Retold.log(LOG, System.Logger.Level.DEBUG, "how that came about", trouble);
        }
    }
}
