package io.distributedfallback;

/**
 * An operator's command could not be carried out, or it is not known whether it was: the store did not answer in time. Look at
 * {@link Breaker#status()} and give it again; a command can be repeated.
 */
public class CommandFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message what failed, with the code of the problem
     * @param cause what the store threw, may be null
     */
    public CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
