package io.distributedfallback.core;

import java.util.regex.Pattern;

/**
 * Makes a text that came from outside fit for logs and rows: one line without control characters, cut to
 * {@value #LONGEST} characters, with the credentials and the query strings of URLs masked.
 */
public final class FailureText {

    /** The longest text kept, in characters. */
    public static final int LONGEST = 300;

    private static final Pattern CREDENTIALS = Pattern.compile("(?<=://)[^/@\\s]+@");
    private static final Pattern QUERY = Pattern.compile("\\?[^\\s\"'<>]*=[^\\s\"'<>]*");

    private FailureText() {}

    /** The type and the message of a failure. */
    public static String of(Throwable failure) {
        String message = failure.getMessage();
        String type = failure.getClass().getSimpleName();
        return clean(message == null || message.isBlank() ? type : type + ": " + message);
    }

    /** Masks secrets and makes one short line. */
    public static String clean(String text) {
        String head = text.length() > 4 * LONGEST ? text.substring(0, 4 * LONGEST) : text;
        String masked =
                QUERY.matcher(CREDENTIALS.matcher(head).replaceAll("***@")).replaceAll("?***");
        return oneLine(masked);
    }

    /** Makes one short line. */
    public static String oneLine(String text) {
        int end = Math.min(text.length(), LONGEST);
        StringBuilder line = new StringBuilder(end);
        text.substring(0, end).codePoints().forEach(c -> line.appendCodePoint(isPlain(c) ? c : ' '));
        return end < text.length() ? line.append('…').toString() : line.toString();
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
