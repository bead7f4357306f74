package io.distributedfallback.cdi;

import io.distributedfallback.QueuedCall;
import io.distributedfallback.queue.TakenCall;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * The stored call that a thread is making, from the invocation of the bean to its end. The guard of the method takes it to
 * its own invocation, so that what happens to that on other threads is known to be about a stored call; calls that the method
 * makes itself are none.
 */
final class Replays {

    private static final ThreadLocal<Replay> MAKING = new ThreadLocal<>();
    private static final String KEY = "io.distributedfallback.replay";

    private Replays() {}

    /** An attempt to make a stored call. */
    static final class Replay {

        private final TakenCall call;
        private final Method method;
        private volatile boolean claimed;
        private volatile boolean asked;
        private volatile boolean retryable;

        Replay(TakenCall call, Method method) {
            this.call = call;
            this.method = method;
        }

        void asked() {
            asked = true;
        }

        void retryable() {
            retryable = true;
        }

        /** Whether the primary was called. */
        boolean wasAsked() {
            return asked;
        }

        /** Whether the primary failed with a kind that uses a fallback. */
        boolean isRetryable() {
            return retryable;
        }
    }

    /** What the thread does. */
    @FunctionalInterface
    interface Work {
        Object run() throws Exception;
    }

    static Object during(Replay replay, Work work) throws Exception {
        Replay before = MAKING.get();
        MAKING.set(replay);
        try {
            return work.run();
        } finally {
            if (before == null) {
                MAKING.remove();
            } else {
                MAKING.set(before);
            }
        }
    }

    /** The stored call that an invocation of a guarded method makes. */
    static Optional<Replay> of(InvocationContext call) {
        Replay replay = MAKING.get();
        if (replay == null) {
            // Maybe the end of a stage, on another thread.
            return call.getContextData().get(KEY) instanceof Replay known ? Optional.of(known) : Optional.empty();
        }
        if (!replay.claimed && replay.method.equals(call.getMethod())) {
            replay.claimed = true;
            call.getContextData().put(KEY, replay);
        }
        return call.getContextData().get(KEY) == replay ? Optional.of(replay) : Optional.empty();
    }

    /** Whether the current thread makes a stored call; asked by each call of a method that has a queue. */
    static boolean isMaking() {
        return MAKING.get() != null;
    }

    /** What methods are told. */
    static final class Current implements QueuedCall {

        @Override
        public Optional<String> id() {
            return Optional.ofNullable(MAKING.get()).map(replay -> Long.toString(replay.call.id()));
        }

        @Override
        public int attempt() {
            return Optional.ofNullable(MAKING.get())
                    .map(replay -> replay.call.attempt())
                    .orElse(0);
        }
    }
}
