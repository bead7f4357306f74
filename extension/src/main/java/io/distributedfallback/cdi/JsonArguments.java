package io.distributedfallback.cdi;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonReader;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import java.io.StringReader;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * The arguments of a method as a JSON array and back. The one class that needs JSON-B; a server may have none, and then it
 * must not be loaded. Thread-safe.
 */
final class JsonArguments {

    private final List<Type> lists;

    private JsonArguments(List<Type> parameters) {
        this.lists = parameters.stream().<Type>map(ListOf::new).toList();
    }

    /** @param parameters the types of the parameters, without variables */
    static JsonArguments of(List<Type> parameters) {
        return new JsonArguments(parameters);
    }

    /**
     * Each argument is written as a list of one, so that numbers, texts, nulls and optionals need no care of their own.
     *
     * @throws RuntimeException if one cannot be written
     */
    String write(Object[] arguments) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < arguments.length; i++) {
            String list = binding().toJson(Collections.singletonList(arguments[i]), lists.get(i));
            text.append(i == 0 ? "" : ",").append(list, list.indexOf('[') + 1, list.lastIndexOf(']'));
        }
        return text.append(']').toString();
    }

    /**
     * Reads them.
     *
     * @throws RuntimeException if they do not fit the parameters
     */
    Object[] read(String text) {
        JsonArray array;
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            array = reader.readArray();
        }
        if (array.size() != lists.size()) {
            throw new IllegalArgumentException(
                    "there are " + array.size() + " arguments, and the method has " + lists.size() + " parameters");
        }
        Object[] arguments = new Object[lists.size()];
        for (int i = 0; i < arguments.length; i++) {
            List<?> list = binding().fromJson("[" + array.get(i) + "]", lists.get(i));
            arguments[i] = list.get(0);
        }
        return arguments;
    }

    private static Jsonb binding() {
        return Binding.JSONB;
    }

    /** Made for the first call that is stored, and not while an application starts. */
    private static final class Binding {
        static final Jsonb JSONB = JsonbBuilder.create();
    }

    /** {@code List<T>}. */
    private record ListOf(Type element) implements ParameterizedType {

        ListOf {
            Objects.requireNonNull(element, "element");
        }

        @Override
        public Type[] getActualTypeArguments() {
            return new Type[] {element};
        }

        @Override
        public Type getRawType() {
            return List.class;
        }

        @Override
        public Type getOwnerType() {
            return null;
        }
    }
}
