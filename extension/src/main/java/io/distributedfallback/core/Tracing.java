package io.distributedfallback.core;

/**
 * Shows the work that whoever reads a trace would not expect: fallbacks and probes. The primary's own work is none of
 * these. Thread-safe; must neither block nor throw.
 */
public interface Tracing {

    /** Shows nothing. */
    Tracing NONE = new Tracing() {};

    /** A fallback begins, on this thread. */
    default Trace fallback(String breaker, FallbackReason reason) {
        return Trace.NONE;
    }

    /** A probe begins, on this thread. It is nobody's request, whatever this thread did before. */
    default Trace probe(String breaker) {
        return Trace.NONE;
    }

    /** Work under way. What the thread that began it does until it leaves belongs to it. */
    interface Trace {

        /** Of nothing. */
        Trace NONE = new Trace() {};

        /** The thread that began the work goes on with something else. On that thread, and once. */
        default void leave() {}

        /** The work failed. */
        default void failed(Throwable thrown) {}

        /** What the work, a probe, has found. */
        default void found(ProbeVerdict verdict) {}

        /** The work is done. On any thread, and once. */
        default void end() {}
    }
}
