package io.distributedfallback.admin;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the one form of JSON that is ever sent here: an object of strings, whole numbers and nulls (RFC 8259). All else is
 * refused: other values, a name that comes twice, half of a surrogate pair, anything after the end.
 */
final class JsonObject {

    private static final int MOST_DIGITS = 18;

    private final String text;
    private int at;

    private JsonObject(String text) {
        this.text = text;
    }

    /** Answers the fields; a string is a String, a number a Long. */
    static Map<String, Object> parse(String text) {
        JsonObject json = new JsonObject(text);
        Map<String, Object> fields = json.object();
        json.skipSpace();
        if (json.at < text.length()) {
            throw json.flaw("the end");
        }
        return fields;
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        skipSpace();
        expect('{');
        skipSpace();
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            skipSpace();
            Object value = value();
            if (fields.containsKey(name)) {
                throw Refusal.badRequest("A field comes twice");
            }
            fields.put(name, value);
            skipSpace();
            if (peek() == '}') {
                at++;
                return fields;
            }
            expect(',');
        }
    }

    private Object value() {
        char c = peek();
        if (c == '"') {
            return string();
        }
        if (text.startsWith("null", at)) {
            at += "null".length();
            return null;
        }
        if (c == '-' || isDigit(c)) {
            return number();
        }
        throw flaw("a string, a whole number or null");
    }

    private long number() {
        int start = at;
        if (peek() == '-') {
            at++;
        }
        int digits = at;
        while (isDigit(peek())) {
            at++;
        }
        boolean leadingZero = at - digits > 1 && text.charAt(digits) == '0';
        if (at == digits || at - digits > MOST_DIGITS || leadingZero || ".eE".indexOf(peek()) >= 0) {
            throw flaw("a whole number of reasonable size");
        }
        return Long.parseLong(text.substring(start, at));
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (peek() != '"') {
            char c = next();
            if (c < ' ') {
                throw flaw("no control character in a string");
            }
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        String read = string.toString();
        if (read.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw flaw("whole characters in a string");
        }
        return read;
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw flaw("a known escape");
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = next();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw flaw("four hexadecimal digits");
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw flaw("a " + wanted);
        }
        at++;
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private char peek() {
        if (at >= text.length()) {
            throw flaw("more");
        }
        return text.charAt(at);
    }

    /** Says where, and nothing of what is there. */
    private Refusal flaw(String expected) {
        return Refusal.badRequest(
                "The body is not the JSON that is expected: at character " + at + " there must be " + expected);
    }
}
