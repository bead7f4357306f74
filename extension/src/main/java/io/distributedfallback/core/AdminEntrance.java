package io.distributedfallback.core;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a server has asked the admin in, which it does if a web application names the admin's initializer. This is kept
 * for all that share the jar, and not for each class loader of an application: of several web applications of an EAR one may
 * have the admin for all, and class loaders of servers come in wrappers, so that two of them cannot be compared.
 * Thread-safe.
 */
public final class AdminEntrance {

    private static final AtomicBoolean OPEN = new AtomicBoolean();

    private AdminEntrance() {}

    /** The server has asked the admin in; whether it then serves depends on the configuration. */
    public static void open() {
        OPEN.set(true);
    }

    /** Whether it has, in any web application that has the jar from the same place. */
    public static boolean isOpen() {
        return OPEN.get();
    }
}
