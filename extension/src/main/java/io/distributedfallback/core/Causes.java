package io.distributedfallback.core;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Takes the paper off a failure: what containers, executors and proxies wrap around it. Wrappers are known by name, so
 * that none of their libraries need be there and it does not matter which class loader they come from. Chains of causes
 * that are long or bite their own tail end after {@value #DEEPEST} steps.
 */
public final class Causes {

    /** How many causes are looked at; real chains are far shorter. */
    static final int DEEPEST = 64;

    private static final Set<String> WRAPPERS = Set.of(
            "java.util.concurrent.CompletionException",
            "java.util.concurrent.ExecutionException",
            "java.lang.reflect.InvocationTargetException",
            "java.lang.reflect.UndeclaredThrowableException",
            "java.security.PrivilegedActionException",
            "java.io.UncheckedIOException",
            "jakarta.ejb.EJBException");

    /** Its subclasses say something themselves; the class itself only says that something is inside. */
    private static final String FAULT_TOLERANCE =
            "org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceException";

    /** Not a wrapper, for its type is what applications catch, but an error inside it is still an error. */
    private static final String PROCESSING = "jakarta.ws.rs.ProcessingException";

    /** A value of the JDK's own type; see {@link ClassNames} for why that matters. */
    private static final ClassValue<Boolean> WRAPS = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.getName().equals(FAULT_TOLERANCE) || ClassNames.firstIn(WRAPPERS, type) != null;
        }
    };

    private Causes() {}

    /**
     * What was thrown, without wrappers.
     *
     * @return the failure itself if it is no wrapper or wraps nothing
     */
    static Throwable unwrap(Throwable thrown) {
        Throwable inner = thrown;
        for (int depth = 0; depth < DEEPEST && isWrapper(inner); depth++) {
            Throwable cause = inner.getCause();
            if (cause == null) {
                break;
            }
            inner = cause;
        }
        return inner;
    }

    /** Whether a failure says no more than that another one is inside. */
    static boolean isWrapper(Throwable failure) {
        return WRAPS.get(failure.getClass());
    }

    /**
     * Whether an {@link Error} was thrown, be it in wrappers. The virtual machine's trouble is neither the provider's
     * nor the caller's: it is rethrown as it came, counted as nothing, and answered by no fallback.
     */
    public static boolean carriesError(Throwable thrown) {
        Throwable inner = unwrap(thrown);
        for (int depth = 0; depth < DEEPEST && ClassNames.has(PROCESSING, inner.getClass()); depth++) {
            Throwable cause = inner.getCause();
            if (cause == null) {
                break;
            }
            inner = unwrap(cause);
        }
        return inner instanceof Error;
    }

    /** For code of the application that was run for a caller and whose exception the caller does not get at once. */
    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Adds the failure of a fallback to that of the primary. Once, and no more than {@value #DEEPEST} of them: one
     * exception may be thrown again and again, as a constant or by a failed stage that is kept, and must not grow for ever.
     */
    static void suppress(Throwable second, Throwable first) {
        if (second == first) {
            return;
        }
        List<Throwable> before = Arrays.asList(first.getSuppressed());
        if (before.size() < DEEPEST && before.stream().noneMatch(known -> known == second)) {
            first.addSuppressed(second);
        }
    }
}
