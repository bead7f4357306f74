package io.distributedfallback.lastgood;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments that a result belongs to, as they were when this was made: arrays, and the lists, sets and maps of the
 * JDK, are copied, with what they hold of these. Of all others the reference is kept. The hash is that of the moment, so
 * that an argument that is changed later is not found any more, instead of being found for another.
 */
public final class ResultKey {

    /** Of arguments that nothing can be kept for. */
    static final ResultKey NONE = new ResultKey(List.of(), false);

    private final List<?> arguments;
    private final boolean isUsable;
    private final int hash;

    private ResultKey(List<?> arguments, boolean isUsable) {
        this.arguments = arguments;
        this.isUsable = isUsable;
        this.hash = arguments.hashCode();
    }

    /** Runs code of the arguments' classes, which may throw. */
    static ResultKey of(Object[] arguments, int[] positions) {
        Object[] frozen = new Object[positions.length];
        for (int i = 0; i < positions.length; i++) {
            frozen[i] = freeze(arguments[positions[i]]);
        }
        return new ResultKey(Arrays.asList(frozen), true);
    }

    boolean isUsable() {
        return isUsable;
    }

    private static Object freeze(Object value) {
        if (value == null || value instanceof String || value instanceof Number) {
            return value;
        }
        if (value.getClass().isArray()) {
            return new Elements(freezeArray(value));
        }
        if (value instanceof Collection<?> || value instanceof Map<?, ?>) {
            return value.getClass().getName().startsWith("java.util.") ? freezeCollection(value) : value;
        }
        return value;
    }

    private static Object freezeCollection(Object value) {
        if (value instanceof List<?> list) {
            return freezeAll(list, new ArrayList<>(list.size()));
        }
        if (value instanceof Set<?> set) {
            return freezeAll(set, new HashSet<>());
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> frozen = new HashMap<>();
            map.forEach((key, element) -> frozen.put(freeze(key), freeze(element)));
            return frozen;
        }
        return value;
    }

    private static Collection<Object> freezeAll(Collection<?> elements, Collection<Object> frozen) {
        for (Object element : elements) {
            frozen.add(freeze(element));
        }
        return frozen;
    }

    private static Object freezeArray(Object array) {
        if (array instanceof Object[] objects) {
            Object[] frozen = new Object[objects.length];
            for (int i = 0; i < frozen.length; i++) {
                frozen[i] = freeze(objects[i]);
            }
            return frozen;
        }
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    /** An array by its content. */
    private record Elements(Object array) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Elements elements && Arrays.deepEquals(inArray(), elements.inArray());
        }

        @Override
        public int hashCode() {
            return Arrays.deepHashCode(inArray());
        }

        private Object[] inArray() {
            return new Object[] {array};
        }
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof ResultKey key && hash == key.hash && arguments.equals(key.arguments));
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
