package io.distributedfallback.cdi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A text that is too long for an index, as a shorter one that is as good for telling it from others. */
final class KeyText {

    private KeyText() {}

    static String shortened(String text, int longest) {
        String hash = HexFormat.of().formatHex(sha256(text));
        int head = longest - hash.length() - 1;
        return text.substring(0, Character.isHighSurrogate(text.charAt(head - 1)) ? head - 1 : head) + "#" + hash;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }
}
