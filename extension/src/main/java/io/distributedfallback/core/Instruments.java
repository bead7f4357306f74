package io.distributedfallback.core;

import java.util.Optional;
import java.util.function.Supplier;

/** Those who watch the calls of an application. Thread-safe; must neither block nor throw. */
public interface Instruments {

    /** Nobody watches, and a call pays nothing for that. */
    Instruments NONE = new Instruments() {};

    /**
     * Who counts the calls of a breaker. Asked when the breaker is made, for its keys not again; may be asked more than
     * once for a name, and then gives the same.
     *
     * @return empty if nobody does
     */
    default Optional<CallMeter> meter(String breaker) {
        return Optional.empty();
    }

    /** Who shows fallbacks and probes. */
    default Tracing tracing() {
        return Tracing.NONE;
    }

    /**
     * Where calls are noted that the calling thread makes, if something else than the primary answers them. Asked for each
     * such call, and for each that ends on another thread.
     */
    default Supplier<Notes> notes() {
        return () -> Notes.NONE;
    }

    /** These, with notes of calls. */
    default Instruments noting(Supplier<Notes> notes) {
        Instruments these = this;
        return new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                return these.meter(breaker);
            }

            @Override
            public Tracing tracing() {
                return these.tracing();
            }

            @Override
            public Supplier<Notes> notes() {
                return notes;
            }
        };
    }

    /** Both these and others watch; fallbacks and probes are shown by these, and calls noted. */
    default Instruments and(Instruments others) {
        Instruments these = this;
        return new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                Optional<CallMeter> one = these.meter(breaker);
                Optional<CallMeter> other = others.meter(breaker);
                return one.isEmpty() || other.isEmpty()
                        ? one.or(() -> other)
                        : Optional.of(both(one.get(), other.get()));
            }

            @Override
            public Tracing tracing() {
                return these.tracing();
            }

            @Override
            public Supplier<Notes> notes() {
                return these.notes();
            }
        };
    }

    private static CallMeter both(CallMeter one, CallMeter other) {
        return outcome -> {
            one.count(outcome);
            other.count(outcome);
        };
    }
}
