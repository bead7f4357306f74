package io.distributedfallback.core;

import java.util.Set;

/**
 * Tells whether a client refused an address before it asked anybody. Clients say so with exceptions that they use for
 * other things too, so the place where the exception was made decides: it is the code that looks at addresses.
 */
final class BadAddress {

    private static final Set<String> PACKAGES =
            Set.of("java.net", "jdk.internal.net.http", "jdk.internal.net.http.common");

    /** The methods of Apache's clients, 4 and 5, that find out whom to ask. */
    private static final Set<String> METHODS = Set.of("determineTarget", "determineRoute");

    private BadAddress() {}

    static boolean isTheReasonFor(Throwable failure) {
        StackTraceElement[] stack = failure.getStackTrace();
        if (stack.length == 0) {
            return false;
        }
        String type = stack[0].getClassName();
        if (failure instanceof IllegalArgumentException) {
            return PACKAGES.contains(type.substring(0, Math.max(0, type.lastIndexOf('.'))));
        }
        return type.startsWith("org.apache.h") && METHODS.contains(stack[0].getMethodName());
    }
}
