package io.distributedfallback.core;

/** Which characters may stand in names and in lines of a log. */
final class Visible {

    private Visible() {}

    /** Whether a character can be seen, stays on its line and can be stored. */
    static boolean isPlain(int codePoint) {
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
