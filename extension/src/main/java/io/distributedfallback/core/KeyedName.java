package io.distributedfallback.core;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The names of keyed breakers: {@code <base>[<key>]}. They are one to one: the last bracket that opens parts them, because
 * no key has one in a name, and no base ends like one.
 */
public final class KeyedName {

    /** The longest key that stands in a name as it is, in characters. */
    static final int LONGEST_KEY = 64;

    /** The longest name of a breaker that can be keyed, in characters: it and any key together are a name. */
    public static final int LONGEST_BASE = BreakerName.LONGEST - LONGEST_KEY - 2;

    private static final char OPENS = '[';
    private static final char CLOSES = ']';
    private static final char HASHED = '#';
    private static final int BYTES_OF_HASH = 16;

    private KeyedName() {}

    /**
     * Lets only names of breakers pass that can be keyed.
     *
     * @return the name
     * @throws IllegalArgumentException if it is not usable, or longer than {@link #LONGEST_BASE}
     */
    static String requireBase(String name) {
        String base = BreakerName.require(name);
        if (base.length() > LONGEST_BASE) {
            throw new IllegalArgumentException(tooLong("Breakers.get", base, "").toString());
        }
        return base;
    }

    /** What a user has to mend about a name that is too long for keys, if it is. */
    public static Optional<Problem> problemWith(String base, String prefix, String where) {
        return prefix.length() + base.length() > LONGEST_BASE
                ? Optional.of(tooLong(where, base, prefix))
                : Optional.empty();
    }

    private static Problem tooLong(String where, String base, String prefix) {
        String together = prefix.isEmpty() ? "It has " : "With the prefix \"" + prefix + "\" it has ";
        return new Problem(
                ProblemCode.DFB110,
                where,
                base,
                together + (prefix.length() + base.length()) + " characters, and with keys " + LONGEST_BASE
                        + " is the most. Shorten it");
    }

    /** The text of a key; empty for none. */
    static String textOf(Object key) {
        if (key == null) {
            return "";
        }
        try {
            String text = key.toString();
            return text == null || text.isBlank() ? "" : text;
        } catch (RuntimeException e) {
            // What is wrong with an argument is the primary's to find.
            return "";
        }
    }

    /**
     * What a key is found by: short, however long the text is. Two texts that are found by the same have the same name,
     * and no others.
     */
    static String handleOf(String text) {
        return text.length() > LONGEST_KEY || text.charAt(0) == HASHED ? hash(text) : text;
    }

    /** The name of a keyed breaker, by the handle of the key. */
    static String of(String base, String handle) {
        boolean asItIs = handle.codePoints().allMatch(c -> Visible.isPlain(c) && c != OPENS && c != CLOSES);
        return base + OPENS + (asItIs ? handle : hash(handle)) + CLOSES;
    }

    /** Whether a name looks as one of a keyed breaker does. */
    static boolean endsLikeOne(String name) {
        return name.endsWith(String.valueOf(CLOSES));
    }

    /** A name taken apart. */
    record Parts(String base, String key) {

        /** Whether the key stands in the name as it is, so that it can be had from there. */
        boolean isKeyKnown() {
            return key.charAt(0) != HASHED;
        }
    }

    /** Takes a name apart; empty if it is not one of a keyed breaker. */
    static Optional<Parts> parse(String name) {
        int opens = name.lastIndexOf(OPENS);
        return endsLikeOne(name) && opens > 0 && opens < name.length() - 2
                ? Optional.of(new Parts(name.substring(0, opens), name.substring(opens + 1, name.length() - 1)))
                : Optional.empty();
    }

    /** The name of the breaker that a name belongs to, which is that name itself if it has no key. */
    public static String baseOf(String name) {
        return parse(name).map(Parts::base).orElse(name);
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HASHED + HexFormat.of().formatHex(digest, 0, BYTES_OF_HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }
}
