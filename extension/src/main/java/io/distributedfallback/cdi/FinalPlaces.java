package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Predicate;

/**
 * Annotations that can have no effect because something is final. A container refuses them in words of its own, before
 * all problems can be told at once. So they are taken off there; {@link Declarations} still finds them in the class.
 */
final class FinalPlaces {

    private FinalPlaces() {}

    static void uncover(ProcessAnnotatedType<?> event, BeanManager beans) {
        AnnotatedType<?> type = event.getAnnotatedType();
        if (isFinalFor(type)) {
            event.configureAnnotatedType()
                    .remove(annotation ->
                            Declarations.onClass(List.of(annotation), beans).isPresent());
        }
        Predicate<AnnotatedMethod<?>> unreachable =
                method -> isUnreachable(method.getJavaMember(), type.getJavaClass());
        if (type.getMethods().stream().anyMatch(unreachable)) {
            event.configureAnnotatedType()
                    .filterMethods(unreachable::test)
                    .forEach(method ->
                            method.remove(annotation -> annotation.annotationType() == DistributedFallback.class));
        }
    }

    /** Whether an annotation on the class meets a final class, or a final method that it would guard. */
    static boolean isFinalFor(AnnotatedType<?> type) {
        return isFinal(type.getJavaClass())
                || type.getMethods().stream()
                        .map(AnnotatedMethod::getJavaMember)
                        .anyMatch(FinalPlaces::isFinalBusinessMethod);
    }

    static boolean isFinal(Class<?> type) {
        return Modifier.isFinal(type.getModifiers());
    }

    static boolean isUnreachable(Method method, Class<?> owner) {
        return (Modifier.isFinal(method.getModifiers()) || isFinal(owner))
                && method.isAnnotationPresent(DistributedFallback.class);
    }

    private static boolean isFinalBusinessMethod(Method method) {
        int modifiers = method.getModifiers();
        return Modifier.isFinal(modifiers)
                && !Modifier.isPrivate(modifiers)
                && !Modifier.isStatic(modifiers)
                && !method.isSynthetic()
                && method.getDeclaringClass() != Object.class;
    }
}
