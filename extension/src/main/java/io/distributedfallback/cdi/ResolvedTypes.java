package io.distributedfallback.cdi;

import java.lang.reflect.GenericArrayType;
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
        return resolved instanceof TypeVariable<?> ? Optional.empty() : Optional.of(resolved);
    }

    boolean isSame(Type one, Type other) {
        return describe(one).equals(describe(other));
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
        // Of the same class, arguments that are both written out must agree.
        boolean bothWritten =
                resolve(wanted) instanceof ParameterizedType && resolve(given) instanceof ParameterizedType;
        return !(wantedRaw == givenRaw && bothWritten);
    }

    private Type resolve(Type type) {
        Type resolved = type;
        while (resolved instanceof TypeVariable<?> && bindings.containsKey(resolved)) {
            resolved = bindings.get(resolved);
        }
        return resolved;
    }

    private String describe(Type unresolved) {
        Type type = resolve(unresolved);
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
        // A variable of a method: two methods have variables of their own, which are the same if their bounds are.
        return type instanceof TypeVariable<?> variable && variable.getGenericDeclaration() instanceof Class<?>
                ? type.getTypeName() + " of " + variable.getGenericDeclaration()
                : type.getTypeName();
    }

    private String describe(String before, Type[] types, String after) {
        return types.length == 0
                ? ""
                : Arrays.stream(types).map(this::describe).collect(Collectors.joining(", ", before, after));
    }

    Class<?> raw(Type unresolved) {
        Type type = resolve(unresolved);
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
