package io.distributedfallback.core;

/** The store could not do what it was asked. Never reaches a caller of a guarded method. */
public final class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ProblemCode code;

    public StoreException(ProblemCode code, String message, Throwable cause) {
        super(code + ": " + message, cause);
        this.code = code;
    }

    /** The code in the catalogue of messages. */
    public ProblemCode code() {
        return code;
    }
}
