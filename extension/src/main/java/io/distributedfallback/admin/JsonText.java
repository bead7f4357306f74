package io.distributedfallback.admin;

import java.util.Map;
import java.util.Optional;

/**
 * Writes JSON: of a map an object, of what can be gone through an array, of an empty {@link Optional} null, of numbers
 * and truths themselves, of all else a string. In strings all is escaped that means something to HTML or JavaScript, so
 * that no text can become more than a text wherever it is put.
 */
final class JsonText {

    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    static String of(Object value) {
        JsonText text = new JsonText();
        text.write(value);
        return text.out.toString();
    }

    private void write(Object value) {
        if (value instanceof Optional<?> optional) {
            write(optional.orElse(null));
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Iterable<?> items) {
            array(items);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            string(value.toString());
        }
    }

    private void object(Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            string(entry.getKey().toString());
            out.append(':');
            write(entry.getValue());
            separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private void array(Iterable<?> items) {
        out.append('[');
        String separator = "";
        for (Object item : items) {
            out.append(separator);
            write(item);
            separator = ",";
        }
        out.append(']');
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (isPlain(text, i)) {
                out.append(c);
            } else {
                out.append(String.format("\\u%04x", (int) c));
            }
        }
        out.append('"');
    }

    private static boolean isPlain(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
        }
        if (Character.isLowSurrogate(c)) {
            return i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
        }
        return c >= ' '
                && c != '<'
                && c != '>'
                && c != '&'
                && c != '\''
                && c != '\u2028'
                && c != '\u2029'
                && c != '\u007f';
    }
}
