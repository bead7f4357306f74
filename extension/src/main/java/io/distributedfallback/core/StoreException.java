package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** The store could not do what it was asked. Never reaches a caller of a guarded method. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;

    public StoreException(ProblemCode code, String message, Throwable cause) {
        super(code + ": " + message, cause);
        this.code = code;
    }

    /** What a store threw, as it is or wrapped. */
    static StoreException of(Throwable thrown) {
        return thrown instanceof StoreException known
                ? known
                : new StoreException(
                        ProblemCode.DFB306, ProblemCode.DFB306.summary() + ": " + FailureText.of(thrown), thrown);
    }

    static StoreException overdue(String what, Duration limit, String key) {
        return new StoreException(
                ProblemCode.DFB305,
                ProblemCode.DFB305.summary() + ": " + what + " took longer than " + limit.toMillis() + " ms (" + key
                        + "). Look for a database under load, for locks, or for a data source with no free connection",
                null);
    }

    /** No managed thread could be had. */
    public static StoreException noThread(RejectedExecutionException thrown) {
        return new StoreException(
                ProblemCode.DFB501,
                ProblemCode.DFB501.summary() + ": " + FailureText.of(thrown)
                        + ". Give the executor of distributed-fallback.executor more threads or a longer queue",
                thrown);
    }

    /** The code in the catalogue of messages. */
    public ProblemCode code() {
        return code;
    }
}
