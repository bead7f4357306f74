package io.distributedfallback.cdi;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Compares types as they are seen from one class, with the type variables of its ancestors resolved. */
final class ResolvedTypes {

    private final Map<TypeVariable<?>, Type> bindings = new HashMap<>();

    ResolvedTypes(Class<?> home) {
        bindAncestors(home);
    }

    private void bindAncestors(Class<?> type) {
        bind(type.getGenericSuperclass());
        Arrays.stream(type.getGenericInterfaces()).forEach(this::bind);
    }

    private void bind(Type ancestor) {
        if (ancestor instanceof ParameterizedType parameterized) {
            Class<?> raw = (Class<?>) parameterized.getRawType();
            TypeVariable<?>[] variables = raw.getTypeParameters();
            for (int i = 0; i < variables.length; i++) {
                bindings.put(variables[i], parameterized.getActualTypeArguments()[i]);
            }
            bindAncestors(raw);
        } else if (ancestor instanceof Class<?> raw) {
            bindAncestors(raw);
        }
    }

    /** What a type parameter of an ancestor stands for; empty if that is left open. */
    Optional<Type> argument(Class<?> ancestor, int index) {
        Type resolved = resolve(ancestor.getTypeParameters()[index]);
        return whereItIsSeen(resolved) instanceof TypeVariable<?> ? Optional.empty() : Optional.of(resolved);
    }

    boolean isSame(Type one, Type other) {
        return describe(one).equals(describe(other));
    }

    /** Whether the first parameters of a method are those of the other, each type as it is seen from here. */
    boolean hasSameParameters(Method one, Method other) {
        Type[] wanted = one.getGenericParameterTypes();
        Type[] given = other.getGenericParameterTypes();
        for (int i = 0; i < wanted.length; i++) {
            if (!isSame(wanted[i], given[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether a value of the second type can be returned as the first. */
    boolean isAssignable(Type wanted, Type given) {
        if (isSame(wanted, given)) {
            return true;
        }
        Class<?> wantedRaw = raw(wanted);
        Class<?> givenRaw = raw(given);
        if (!box(wantedRaw).isAssignableFrom(box(givenRaw)) || (wantedRaw == void.class) != (givenRaw == void.class)) {
            return false;
        }
        return !(resolve(wanted) instanceof ParameterizedType parameterized)
                || isAssignable(parameterized.getActualTypeArguments(), wantedRaw, resolve(given));
    }

    /** Whether type arguments that are written out agree with those of a type below; raw ones agree with all. */
    private boolean isAssignable(Type[] arguments, Class<?> wanted, Type given) {
        ResolvedTypes below = new ResolvedTypes(raw(given));
        if (given instanceof ParameterizedType parameterized) {
            TypeVariable<?>[] variables = raw(given).getTypeParameters();
            for (int i = 0; i < variables.length; i++) {
                below.bindings.put(
                        variables[i], new SeenFrom(this, parameterized.getActualTypeArguments()[i]));
            }
        }
        for (int i = 0; i < arguments.length; i++) {
            Optional<Type> argument = below.argument(wanted, i);
            if (argument.isPresent() && !contains(arguments[i], argument.get(), below)) {
                return false;
            }
        }
        return true;
    }

    private boolean contains(Type wanted, Type given, ResolvedTypes below) {
        if (!(wanted instanceof WildcardType wildcard) || below.whereItIsSeen(given) instanceof WildcardType) {
            return describe(wanted).equals(below.describe(given));
        }
        Class<?> raw = below.raw(given);
        return Arrays.stream(wildcard.getUpperBounds())
                        .allMatch(bound -> raw(bound).isAssignableFrom(raw))
                && Arrays.stream(wildcard.getLowerBounds()).allMatch(bound -> raw.isAssignableFrom(raw(bound)));
    }

    /**
     * A type argument that is written out in one place and looked at from another. A variable in it is that of the first:
     * in the second the same variable may stand for something else, and even for this type.
     */
    private record SeenFrom(ResolvedTypes there, Type type) implements Type {}

    private Type whereItIsSeen(Type type) {
        Type resolved = resolve(type);
        return resolved instanceof SeenFrom seen ? seen.there.whereItIsSeen(seen.type) : resolved;
    }

    /** What a type variable of an ancestor stands for; any other type as it is. */
    Type resolve(Type type) {
        Type resolved = type;
        while (resolved instanceof TypeVariable<?> && bindings.containsKey(resolved)) {
            Type next = bindings.get(resolved);
            if (next.equals(resolved)) {
                break;
            }
            resolved = next;
        }
        return resolved;
    }

    /** The type in words, which are the same for the same type wherever it is seen from. */
    String describe(Type unresolved) {
        Type type = resolve(unresolved);
        if (type instanceof SeenFrom seen) {
            return seen.there.describe(seen.type);
        }
        if (type instanceof Class<?> plain) {
            return plain.isArray() ? describe(plain.getComponentType()) + "[]" : plain.getName();
        }
        if (type instanceof ParameterizedType parameterized) {
            return describe(parameterized.getRawType()) + describe("<", parameterized.getActualTypeArguments(), ">");
        }
        if (type instanceof GenericArrayType array) {
            return describe(array.getGenericComponentType()) + "[]";
        }
        if (type instanceof WildcardType wildcard) {
            return describe("? extends ", wildcard.getUpperBounds(), "")
                    + describe(" super ", wildcard.getLowerBounds(), "");
        }
        return describe((TypeVariable<?>) type);
    }

    /** Two methods have variables of their own, which are the same if their places and bounds are. */
    private static String describe(TypeVariable<?> variable) {
        if (!(variable.getGenericDeclaration() instanceof Method method)) {
            return variable.getName() + " of " + variable.getGenericDeclaration();
        }
        // The bounds by their raw types: written out they may lead back to the variable.
        return "variable " + Arrays.asList(method.getTypeParameters()).indexOf(variable) + " of the method, "
                + Arrays.stream(variable.getBounds())
                        .map(bound -> new ResolvedTypes(Object.class).raw(bound).getName())
                        .collect(Collectors.joining(" & "));
    }

    private String describe(String before, Type[] types, String after) {
        return types.length == 0
                ? ""
                : Arrays.stream(types).map(this::describe).collect(Collectors.joining(", ", before, after));
    }

    Class<?> raw(Type unresolved) {
        Type type = resolve(unresolved);
        if (type instanceof SeenFrom seen) {
            return seen.there.raw(seen.type);
        }
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType parameterized) {
            return (Class<?>) parameterized.getRawType();
        }
        if (type instanceof GenericArrayType array) {
            return raw(array.getGenericComponentType()).arrayType();
        }
        if (type instanceof TypeVariable<?> variable) {
            return raw(variable.getBounds()[0]);
        }
        return raw(((WildcardType) type).getUpperBounds()[0]);
    }

    static Class<?> box(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
    }
}
