package io.distributedfallback.cdi;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the method that a {@code fallbackMethod} names, by the rules of MicroProfile Fault Tolerance 4.1, section 6.2:
 * on the class of the guarded method, its superclasses and interfaces, accessible from there, with the same parameters
 * and a return type that fits, after type variables are resolved. Beyond them, one parameter more is accepted at the end:
 * a {@link Throwable} or {@link Exception}.
 */
final class FallbackMethods {

    private final Method guarded;
    private final Class<?> home;
    private final ResolvedTypes types;

    FallbackMethods(Method guarded) {
        this.guarded = guarded;
        this.home = guarded.getDeclaringClass();
        this.types = new ResolvedTypes(home);
    }

    /** The first that fits; one without the failure before one with it. */
    Optional<MethodFallback> find(String name) {
        List<Method> named = named(name);
        for (int more = 0; more <= 1; more++) {
            for (Method method : named) {
                if (fits(method, more)) {
                    return Optional.of(new MethodFallback(method, more == 1));
                }
            }
        }
        return Optional.empty();
    }

    /** What bears the name but does not fit, for the message. */
    List<String> candidates(String name) {
        return named(name).stream().map(Method::toGenericString).toList();
    }

    private List<Method> named(String name) {
        List<Method> found = new ArrayList<>();
        for (Class<?> place : places()) {
            for (Method method : place.getDeclaredMethods()) {
                if (method.getName().equals(name) && !method.isBridge() && !method.equals(guarded)) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private Set<Class<?>> places() {
        Set<Class<?>> places = new LinkedHashSet<>();
        for (Class<?> type = home; type != null; type = type.getSuperclass()) {
            places.add(type);
        }
        for (Class<?> type = home; type != null; type = type.getSuperclass()) {
            addInterfaces(type, places);
        }
        return places;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> places) {
        for (Class<?> parent : type.getInterfaces()) {
            places.add(parent);
            addInterfaces(parent, places);
        }
    }

    private boolean fits(Method method, int more) {
        return isAccessible(method)
                && method.getParameterCount() == guarded.getParameterCount() + more
                && types.hasSameParameters(guarded, method)
                && (more == 0 || takesFailure(method))
                && types.isAssignable(guarded.getGenericReturnType(), method.getGenericReturnType())
                // A class of the platform keeps what is not public to itself.
                && method.trySetAccessible();
    }

    private boolean isAccessible(Method method) {
        int modifiers = method.getModifiers();
        Class<?> owner = method.getDeclaringClass();
        if (Modifier.isPrivate(modifiers)) {
            return owner == home;
        }
        return Modifier.isPublic(modifiers)
                || Modifier.isProtected(modifiers)
                || owner.getPackage() == home.getPackage();
    }

    private static boolean takesFailure(Method method) {
        Class<?> last = method.getParameterTypes()[method.getParameterCount() - 1];
        return last == Throwable.class || last == Exception.class;
    }
}
