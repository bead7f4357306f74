package io.distributedfallback.cdi;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonValue;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import java.io.StringReader;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

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
     * Each argument is written as a list of one, so that numbers, texts, nulls and optionals need no care of their own. It is
     * read again at once: one of a subclass, for instance, is written with all that it has, and comes back without.
     *
     * @throws RuntimeException if one cannot be written, or would come back as another
     */
    String write(Object[] arguments) {
        StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < arguments.length; i++) {
            String list = binding().toJson(Collections.singletonList(arguments[i]), lists.get(i));
            requireSame(i, list);
            text.append(i == 0 ? "" : ",").append(list, list.indexOf('[') + 1, list.lastIndexOf(']'));
        }
        return text.append(']').toString();
    }

    private void requireSame(int position, String written) {
        String again = binding().toJson(binding().fromJson(written, lists.get(position)), lists.get(position));
        if (!again.equals(written) && !canonical(array(again)).equals(canonical(array(written)))) {
            throw new IllegalArgumentException(
                    "argument " + (position + 1) + " would not come back as it is; is it of a" + " subclass of "
                            + ((ListOf) lists.get(position)).element().getTypeName() + '?');
        }
    }

    /** The same for sets and maps whose elements come in another order. */
    private static String canonical(JsonValue value) {
        if (value instanceof JsonArray list) {
            return list.stream().map(JsonArguments::canonical).sorted().collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof JsonObject object) {
            return object.entrySet().stream()
                    .map(entry -> entry.getKey() + ":" + canonical(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return value.toString();
    }

    private static JsonArray array(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readArray();
        }
    }

    /**
     * Reads them.
     *
     * @throws RuntimeException if they do not fit the parameters
     */
    Object[] read(String text) {
        JsonArray array = array(text);
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

    /**
     * Made for the first call that is stored, and not while an application starts. A null that is left out would come back
     * as what a class has from the start.
     */
    private static final class Binding {
        static final Jsonb JSONB = JsonbBuilder.create(new JsonbConfig().withNullValues(true));
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
