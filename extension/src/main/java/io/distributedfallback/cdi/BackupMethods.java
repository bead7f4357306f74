package io.distributedfallback.cdi;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the methods by which a backup is called: those of a type, class or interface, that the guarded class and the
 * backup have in common, with the same types for its type variables. So a method that only bears the same name is
 * never taken for the same.
 */
final class BackupMethods {

    private final Set<Class<?>> common;
    private final ResolvedTypes here;
    private final ResolvedTypes there;

    BackupMethods(Class<?> guarded, Class<?> backup) {
        this.common = ancestry(guarded);
        this.common.retainAll(ancestry(backup));
        this.common.remove(Object.class);
        this.here = new ResolvedTypes(guarded);
        this.there = new ResolvedTypes(backup);
    }

    /** The types that both have. */
    Set<Class<?>> common() {
        return common;
    }

    /** The method by which the backup answers for a guarded one. */
    Optional<Method> find(Method guarded) {
        return common.stream()
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> isSame(guarded, method))
                .filter(Method::trySetAccessible)
                .findFirst();
    }

    /** Whether the backup answers for any method of a class or interface. */
    boolean hasAny(Class<?> guarded) {
        return ancestry(guarded).stream()
                .filter(type -> type != Object.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .anyMatch(method -> find(method).isPresent());
    }

    private boolean isSame(Method guarded, Method method) {
        return method.getName().equals(guarded.getName())
                && !method.isBridge()
                && !Modifier.isStatic(method.getModifiers())
                && isVisible(method, guarded)
                && method.getParameterCount() == guarded.getParameterCount()
                && here.hasSameParameters(guarded, method)
                && here.isAssignable(method.getGenericReturnType(), guarded.getGenericReturnType())
                && hasSameTypesThere(method);
    }

    private static boolean isVisible(Method method, Method guarded) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            return false;
        }
        return Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || method.getDeclaringClass().getPackage()
                        == guarded.getDeclaringClass().getPackage();
    }

    private boolean hasSameTypesThere(Method method) {
        if (!here.describe(method.getGenericReturnType()).equals(there.describe(method.getGenericReturnType()))) {
            return false;
        }
        for (var parameter : method.getGenericParameterTypes()) {
            if (!here.describe(parameter).equals(there.describe(parameter))) {
                return false;
            }
        }
        return true;
    }

    private static Set<Class<?>> ancestry(Class<?> type) {
        Set<Class<?>> ancestry = new LinkedHashSet<>();
        for (Class<?> ancestor = type; ancestor != null; ancestor = ancestor.getSuperclass()) {
            addWithInterfaces(ancestor, ancestry);
        }
        return ancestry;
    }

    private static void addWithInterfaces(Class<?> type, Set<Class<?>> ancestry) {
        ancestry.add(type);
        for (Class<?> parent : type.getInterfaces()) {
            addWithInterfaces(parent, ancestry);
        }
    }
}
