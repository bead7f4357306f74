package io.distributedfallback.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a breaker at the end of a path. Read from the path as it was sent, because a name may hold a slash: once the
 * server has decoded it, nobody can tell it from one that parts the path.
 */
final class BreakerPath {

    private BreakerPath() {}

    static String name(HttpServletRequest request, String parent) {
        String before = request.getServletPath() + parent;
        String uri = request.getRequestURI();
        int start = uri.indexOf(before);
        String segment = start < 0 ? "" : uri.substring(start + before.length());
        if (segment.isEmpty() || segment.indexOf('/') >= 0 || segment.indexOf(';') >= 0) {
            throw Refusal.notFound("There is nothing here");
        }
        return decoded(segment);
    }

    private static String decoded(String segment) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '%') {
                bytes.write(octet(segment, i + 1));
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw badEncoding();
        }
    }

    private static int octet(String segment, int at) {
        if (at + 1 < segment.length()) {
            int high = Character.digit(segment.charAt(at), 16);
            int low = Character.digit(segment.charAt(at + 1), 16);
            if (high >= 0 && low >= 0) {
                return high * 16 + low;
            }
        }
        throw badEncoding();
    }

    private static Refusal badEncoding() {
        return Refusal.badRequest("The path is not percent-encoded UTF-8");
    }
}
