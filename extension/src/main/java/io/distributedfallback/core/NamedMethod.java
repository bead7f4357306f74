package io.distributedfallback.core;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * A public method of a class that is known by name only. Looked up once for each class; the lookup starts at the named
 * ancestor, because the class at hand need not be public.
 */
final class NamedMethod {

    private final ClassValue<Optional<Method>> methods;

    NamedMethod(String owner, String name, Class<?>... parameters) {
        methods = new ClassValue<>() {
            @Override
            protected Optional<Method> computeValue(Class<?> type) {
                Class<?> ancestor = ClassNames.ancestor(owner, type);
                try {
                    return ancestor == null ? Optional.empty() : Optional.of(ancestor.getMethod(name, parameters));
                } catch (NoSuchMethodException | LinkageError e) {
                    return Optional.empty();
                }
            }
        };
    }

    /** What the method returns; empty if there is no such method, it returns null or it fails. */
    Optional<Object> call(Object target, Object... arguments) {
        Optional<Method> method = methods.get(target.getClass());
        if (method.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(method.get().invoke(target, arguments));
        } catch (IllegalAccessException | InvocationTargetException e) {
            return Optional.empty();
        }
    }
}
