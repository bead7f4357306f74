package io.distributedfallback.core;

/**
 * A failure told again, with the stack traces of the first and its causes, and with texts that are fit for a log: a log writes
 * the message of an exception as it is, so a line break in it would begin a line of its own, and a password would be read
 * by everybody who reads logs. What was suppressed is left out.
 */
public final class Retold extends Exception {

    private static final long serialVersionUID = 1L;
    private static final int DEEPEST = 16;

    private final String text;

    private Retold(String text, Throwable cause) {
        super(text, cause, false, true);
        this.text = text;
    }

    /** Writes a line with a stack trace. */
    public static void log(System.Logger log, System.Logger.Level level, String line, Throwable failure) {
        if (log.isLoggable(level)) {
            log.log(level, line, of(failure));
        }
    }

    /** Causes that go round in a circle, or that fail to be had, end somewhere. */
    static Retold of(Throwable failure) {
        return of(failure, DEEPEST);
    }

    private static Retold of(Throwable failure, int deepest) {
        Throwable cause = deepest > 1 ? causeOf(failure) : null;
        Retold retold = new Retold(FailureText.of(failure), cause == null ? null : of(cause, deepest - 1));
        retold.setStackTrace(traceOf(failure));
        return retold;
    }

    private static StackTraceElement[] traceOf(Throwable failure) {
        try {
            StackTraceElement[] trace = failure.getStackTrace();
            return trace == null ? new StackTraceElement[0] : trace;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return new StackTraceElement[0];
        }
    }

    private static Throwable causeOf(Throwable failure) {
        try {
            return failure.getCause();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return null;
        }
    }

    @Override
    @SuppressWarnings(
            "OverrideThrowableToString") // the class of the first one says what happened, and this one's nothing
    public String toString() {
        return text;
    }
}
