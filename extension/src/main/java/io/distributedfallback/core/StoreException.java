package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** The store could not do what it was asked. Never reaches a caller of a guarded method. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;

    /**
     * Creates the exception.
     *
     * @param problem its message
     * @param cause may be null
     */
    public StoreException(Problem problem, Throwable cause) {
        super(problem.toString(), cause);
        this.code = problem.code();
    }

    /** What a store threw, as it is or wrapped. */
    public static StoreException of(Throwable thrown) {
        return thrown instanceof StoreException known
                ? known
                : new StoreException(
                        new Problem(ProblemCode.DFB306, FailureText.of(thrown), "", "The cause says more"), thrown);
    }

    /** It may come yet, and nobody waits for it any longer. */
    public static StoreException overdue(String what, Duration limit, String key) {
        return new StoreException(
                new Problem(
                        ProblemCode.DFB305,
                        what + " took longer than " + limit.toMillis() + " ms (" + key + ")",
                        "",
                        "Look for a database under load, for locks, or for a data source with no free connection"),
                null);
    }

    /** What is for all instances cannot be had while this one has lost the store. */
    static StoreException away() {
        return new StoreException(
                new Problem(
                        ProblemCode.DFB302,
                        "this instance has lost the store and not found it again yet",
                        "",
                        "Its log says why; it looks again within half a minute"),
                null);
    }

    /** No managed thread could be had. */
    public static StoreException noThread(RejectedExecutionException thrown) {
        return new StoreException(
                new Problem(
                        ProblemCode.DFB501,
                        FailureText.of(thrown),
                        "",
                        "Add the server's Jakarta Concurrency feature if it is missing, name an executor that exists in"
                                + " distributed-fallback.executor, or give it more threads or a longer queue; a server that"
                                + " is being stopped needs nothing"),
                thrown);
    }

    /** The code in the catalogue of messages. */
    public final ProblemCode code() {
        return code;
    }
}
