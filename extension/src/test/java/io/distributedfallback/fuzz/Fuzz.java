package io.distributedfallback.fuzz;

import java.util.Random;
import java.util.function.Consumer;

/**
 * Input as nobody would write it, from a seed. A failure names the seed of its round: {@code -Dfuzz.seed=...} has that round
 * first. {@code -Dfuzz.times=100} goes on a hundred times as long.
 */
public final class Fuzz {

    private static final String[] NASTY = {
        "\n",
        "\r\n",
        "\r\n2026-11-30 ERROR forged",
        "\u0085",
        "\u2028",
        "\u2029",
        "\0",
        "\u001b[31m",
        "\u009b2J",
        "\t",
        "\u007f",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\ud83c",
        "\udc00",
        "\ud83c\udfae",
        "\u0301",
        "\u00df",
        "\u65e5\u672c",
        "\u0663",
        "'",
        "\"",
        ";--",
        "\\",
        "%",
        "_",
        "$$",
        "$1",
        "?",
        ":x",
        "?1",
        "{0}",
        "${x}",
        "${",
        "}",
        "%s",
        "%n",
        "/",
        "..",
        "%2f",
        "%00",
        "[",
        "]",
        "#",
        "<script>",
        "&amp;",
        "=",
        ",",
        ".",
        "-",
        "+",
        "*",
        " ",
        "\u00a0",
        "null",
        "NaN",
        "off"
    };

    private final Random random;

    private Fuzz(long seed) {
        random = new Random(seed);
    }

    /** Has a property checked so often. */
    public static void run(int rounds, Consumer<Fuzz> property) {
        long first = Long.getLong("fuzz.seed", System.nanoTime());
        long all = (long) rounds * Integer.getInteger("fuzz.times", 1);
        for (long seed = first; seed < first + all; seed++) {
            try {
                property.accept(new Fuzz(seed));
            } catch (Exception | Error e) {
                throw new AssertionError("again with -Dfuzz.seed=" + seed + ": " + e, e);
            }
        }
    }

    /** From 0 on. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** True once in so many times. */
    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    @SafeVarargs
    public final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /** Letters and digits, of which nothing else is likely to hold the same. */
    public String word(int length) {
        return random.ints(length, 0, 62)
                .mapToObj(i -> "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".substring(i, i + 1))
                .reduce("", String::concat);
    }

    /** Up to so many pieces, some of them harmless. */
    public String text(int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(pieces + 1); i > 0; i--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append(word(1 + random.nextInt(8)));
                case 1 -> text.append((char) random.nextInt(0x10000));
                default -> text.append(oneOf(NASTY));
            }
        }
        return text.toString();
    }

    /** What is right, with something wrong in it, perhaps. */
    public String mutated(String right) {
        StringBuilder text = new StringBuilder(right);
        for (int edits = random.nextInt(4); edits > 0 && text.length() > 0; edits--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, oneOf(NASTY));
                case 2 -> text.setCharAt(at, (char) random.nextInt(0x80));
                case 3 -> text.setLength(at);
                default -> text.append(text);
            }
        }
        return text.toString();
    }
}
