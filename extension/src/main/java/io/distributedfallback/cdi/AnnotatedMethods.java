package io.distributedfallback.cdi;

import io.distributedfallback.BreakerKey;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedParameter;
import jakarta.enterprise.inject.spi.AnnotatedType;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The methods of a type that a caller can mean. A container's list also has those that are overridden, with their
 * annotations, and all bridges of the compiler.
 */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /**
     * A method, and what it carries for CDI.
     *
     * @param annotations its annotations
     * @param marks the positions of its parameters that carry an annotation, from 0
     */
    record Declared(
            Method java,
            Function<Class<? extends Annotation>, Annotation> annotations,
            Function<Class<? extends Annotation>, List<Integer>> marks) {

        <A extends Annotation> Optional<A> annotation(Class<A> type) {
            return Optional.ofNullable(type.cast(annotations.apply(type)));
        }

        List<Integer> marked(Class<? extends Annotation> type) {
            return marks.apply(type);
        }

        /** The positions of its parameters that are keys of breakers. */
        List<Integer> keys() {
            return marked(BreakerKey.class);
        }
    }

    static List<Declared> of(AnnotatedType<?> type) {
        Class<?> owner = type.getJavaClass();
        List<Declared> all = owner.isInterface()
                ? ofInterface(owner)
                : type.getMethods().stream().map(AnnotatedMethods::declared).toList();
        List<Declared> meant = new ArrayList<>();
        for (Declared method : all) {
            if (canBeMeant(method.java()) && !isOverridden(method.java(), owner, all)) {
                meant.add(method);
            }
        }
        return meant;
    }

    private static boolean canBeMeant(Method method) {
        return method.getDeclaringClass() != Object.class
                && (!method.isSynthetic() || method.isBridge())
                && !isBridgeToAnother(method);
    }

    private static Declared declared(AnnotatedMethod<?> method) {
        return new Declared(
                method.getJavaMember(),
                method::getAnnotation,
                type -> method.getParameters().stream()
                        .filter(parameter -> parameter.isAnnotationPresent(type))
                        .map(AnnotatedParameter::getPosition)
                        .toList());
    }

    /** As it stands in the code. */
    static Declared asWritten(Method method) {
        return new Declared(method, ((AnnotatedElement) method)::getAnnotation, type -> marked(method, type));
    }

    /** The positions of the parameters of a method that are keys of breakers, as it stands in the code. */
    static List<Integer> keysOf(Method method) {
        return marked(method, BreakerKey.class);
    }

    private static List<Integer> marked(Method method, Class<? extends Annotation> type) {
        Parameter[] parameters = method.getParameters();
        return IntStream.range(0, parameters.length)
                .filter(i -> parameters[i].isAnnotationPresent(type))
                .boxed()
                .toList();
    }

    /** The list of an interface lacks what it inherits. What it has from the platform, as close(), is no business. */
    private static List<Declared> ofInterface(Class<?> owner) {
        return Stream.concat(Arrays.stream(owner.getMethods()), Arrays.stream(owner.getDeclaredMethods()))
                .distinct()
                .filter(method -> !method.getDeclaringClass().getName().startsWith("java."))
                .map(AnnotatedMethods::asWritten)
                .toList();
    }

    /**
     * Compilers copy the annotations of an overriding method to the bridge that leads to it from the erased signature.
     * Guarding that one too would ask for a fallback with the erased parameters. A bridge that makes a method of a hidden
     * superclass visible has no other to lead to in its class, and is the method that is called.
     */
    private static boolean isBridgeToAnother(Method method) {
        return method.isBridge()
                && Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                        .anyMatch(other -> !other.isBridge() && isErasureOf(method, other));
    }

    private static boolean isErasureOf(Method bridge, Method method) {
        if (!bridge.getName().equals(method.getName())
                || bridge.getParameterCount() != method.getParameterCount()
                || !bridge.getReturnType().isAssignableFrom(method.getReturnType())) {
            return false;
        }
        for (int i = 0; i < bridge.getParameterCount(); i++) {
            if (!bridge.getParameterTypes()[i].isAssignableFrom(method.getParameterTypes()[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOverridden(Method method, Class<?> owner, List<Declared> all) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
            return false;
        }
        if (method.isDefault() && !owner.isInterface()) {
            return !isInherited(method, owner);
        }
        for (Declared other : all) {
            if (overrides(other.java(), method)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a default method is what the class has, and not a method of a superclass or of another interface. */
    private static boolean isInherited(Method method, Class<?> owner) {
        try {
            return owner.getMethod(method.getName(), method.getParameterTypes()).equals(method);
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static boolean overrides(Method other, Method method) {
        Class<?> above = method.getDeclaringClass();
        return other.getDeclaringClass() != above
                && above.isAssignableFrom(other.getDeclaringClass())
                && other.getName().equals(method.getName())
                && Arrays.equals(other.getParameterTypes(), method.getParameterTypes())
                && (Modifier.isPublic(method.getModifiers())
                        || Modifier.isProtected(method.getModifiers())
                        || other.getDeclaringClass().getPackage() == above.getPackage());
    }
}
