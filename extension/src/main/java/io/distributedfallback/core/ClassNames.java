package io.distributedfallback.core;

import java.util.Set;

/**
 * Knows classes by the names in their hierarchy.
 *
 * <p>What is learnt about a class is kept in a {@link ClassValue}, and such an entry lives as long as the class it is
 * about. That may be a class of the JDK, which outlives the application. So entries hold nothing but types of the JDK
 * and members of that same class: a class of ours in there would keep the class loader of every redeployed application
 * in memory.
 */
final class ClassNames {

    private ClassNames() {}

    /** The first of the names that a class or, going up, one of its superclasses has; null if none has. */
    static String firstIn(Set<String> names, Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (names.contains(c.getName())) {
                return c.getName();
            }
        }
        return null;
    }

    /** Whether a class, one of its superclasses or one of their interfaces has the name. */
    static boolean has(String name, Class<?> type) {
        return ancestor(name, type) != null;
    }

    /** The type of that name among a class, its superclasses and their interfaces; null if there is none. */
    static Class<?> ancestor(String name, Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            if (c.getName().equals(name)) {
                return c;
            }
            for (Class<?> contract : c.getInterfaces()) {
                Class<?> found = ancestor(name, contract);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }
}
