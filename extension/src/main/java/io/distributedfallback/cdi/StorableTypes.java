package io.distributedfallback.cdi;

import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells the types whose values are the same after they were written as JSON and read back, by JSON-B's default rules. When in
 * doubt it says no: an argument that comes back without half of its fields is worse than a deployment that fails.
 */
final class StorableTypes {

    private static final String BINDING = "jakarta.json.bind.annotation.";

    private final Set<Class<?>> seen = new HashSet<>();

    private StorableTypes() {}

    /** Why values of a type cannot be stored; empty if they can. */
    static Optional<String> flaw(Type type) {
        return new StorableTypes().flawOf(type);
    }

    /** Whether the text of a value says all of it, so that it can be a key. */
    static boolean isText(Type type) {
        return type instanceof Class<?> plain
                && (plain.isPrimitive() || plain.isEnum() || isOfTime(plain) || JsonClasses.PLAIN.contains(plain));
    }

    private Optional<String> flawOf(Type type) {
        if (type instanceof Class<?> plain) {
            return flawOf(plain);
        }
        if (type instanceof ParameterizedType parameterized) {
            return flawOf((Class<?>) parameterized.getRawType(), parameterized.getActualTypeArguments());
        }
        if (type instanceof WildcardType wildcard) {
            return flawOf(wildcard.getUpperBounds()[0]);
        }
        return Optional.of(type.getTypeName() + " does not say what it is at run time");
    }

    private Optional<String> flawOf(Class<?> raw, Type[] arguments) {
        if (JsonClasses.COLLECTIONS.contains(raw)) {
            return flawOf(arguments[0]);
        }
        if (JsonClasses.MAPS.contains(raw)) {
            boolean isNamed = arguments[0] == String.class || (arguments[0] instanceof Class<?> key && key.isEnum());
            return isNamed ? flawOf(arguments[1]) : Optional.of("the keys of a map must be texts or constants");
        }
        return Optional.of(raw.getName() + " is generic, and no collection");
    }

    private Optional<String> flawOf(Class<?> type) {
        if (type.isPrimitive() || type.isEnum() || JsonClasses.PLAIN.contains(type) || isOfTime(type)) {
            return Optional.empty();
        }
        if (type.isArray()) {
            return flawOf(type.getComponentType());
        }
        if (type == Object.class
                || JsonClasses.COLLECTIONS.contains(type)
                || JsonClasses.MAPS.contains(type)
                || hasVariables(type)) {
            return Optional.of(type.getName() + " does not say what is in it");
        }
        if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
            return Optional.of(type.getName() + " does not say which class to read it back as");
        }
        if (isOfPlatform(type) || InputStream.class.isAssignableFrom(type)) {
            return Optional.of(type.getName() + " has no form as JSON that can be read back");
        }
        if (type.isAnonymousClass() || type.isLocalClass() || isInner(type)) {
            return Optional.of(type.getName() + " cannot be made without what is around it");
        }
        // One that leads back to itself, as a tree does, is looked at once.
        return seen.add(type) && !isBound(type) ? flawInside(type) : Optional.empty();
    }

    private static boolean hasVariables(Class<?> type) {
        return type.getTypeParameters().length > 0;
    }

    private static boolean isInner(Class<?> type) {
        return type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    }

    private static boolean isOfTime(Class<?> type) {
        return JsonClasses.TIMES.contains(type);
    }

    private static boolean isOfPlatform(Class<?> type) {
        return Stream.of("java.", "javax.", "jakarta.").anyMatch(type.getName()::startsWith);
    }

    /** The application says itself how it is written and read. */
    private static boolean isBound(AnnotatedElement element) {
        return Stream.of(element.getAnnotations())
                .map(Annotation::annotationType)
                .map(Class::getName)
                .anyMatch(
                        Set.of(
                                BINDING + "JsonbTypeAdapter",
                                BINDING + "JsonbTypeDeserializer",
                                BINDING + "JsonbTypeInfo")::contains);
    }

    private static boolean isCreator(AnnotatedElement element) {
        return Stream.of(element.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals(BINDING + "JsonbCreator"));
    }

    private Optional<String> flawInside(Class<?> type) {
        if (type.isRecord()) {
            return Arrays.stream(type.getRecordComponents())
                    .map(component -> inside(type, component.getName(), flawOf(component)))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        boolean isCreated = Stream.concat(
                        Arrays.stream(type.getDeclaredConstructors()), Arrays.stream(type.getDeclaredMethods()))
                .anyMatch(StorableTypes::isCreator);
        if (!isCreated && Arrays.stream(type.getDeclaredConstructors()).noneMatch(StorableTypes::isUsable)) {
            return Optional.of(type.getName() + " has no public or protected constructor without parameters");
        }
        return fieldsOf(type)
                .map(field -> inside(type, field.getName(), flawOf(type, field, isCreated)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> flawOf(RecordComponent component) {
        return flawOf(component.getGenericType());
    }

    private Optional<String> flawOf(Class<?> type, Field field, boolean isCreated) {
        if (isBound(field)) {
            return Optional.empty();
        }
        boolean isKept = Modifier.isPublic(field.getModifiers())
                || (hasMethod(type, Set.of("get", "is"), field, 0)
                        && (isCreated || hasMethod(type, Set.of("set"), field, 1)));
        return isKept
                ? flawOf(field.getGenericType())
                : Optional.of("JSON-B leaves it out: no public get" + (isCreated ? "" : " and set"));
    }

    private static boolean hasMethod(Class<?> type, Set<String> prefixes, Field field, int parameters) {
        String name = field.getName().substring(0, 1).toUpperCase(Locale.ROOT)
                + field.getName().substring(1);
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == parameters)
                .map(Method::getName)
                .anyMatch(method -> prefixes.stream().anyMatch(prefix -> method.equals(prefix + name)));
    }

    private static boolean isUsable(Constructor<?> constructor) {
        return constructor.getParameterCount() == 0
                && (Modifier.isPublic(constructor.getModifiers()) || Modifier.isProtected(constructor.getModifiers()));
    }

    private static Stream<Field> fieldsOf(Class<?> type) {
        Stream<Field> own = Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers())
                        && !Modifier.isTransient(field.getModifiers())
                        && !field.isSynthetic());
        Class<?> above = type.getSuperclass();
        return above == null || above == Object.class ? own : Stream.concat(fieldsOf(above), own);
    }

    private static Optional<String> inside(Class<?> type, String name, Optional<String> flaw) {
        return flaw.map(text -> type.getName() + "." + name + ": " + text);
    }
}
