package io.distributedfallback.config;

import io.distributedfallback.core.Problem;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Reads whether clients are told what answered instead of primaries. */
final class DegradedReader {

    /** The key, without {@link ConfigValues#PREFIX}. */
    static final String KEY = "degraded-header";

    private static final int LONGEST = 64;
    private static final String OFF = "off";

    /** A token, RFC 9110, section 5.6.2. */
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** What they say decides how the response is read, or by whom: RFC 9110, 9111, 9112 and 6265. */
    private static final Set<String> TAKEN = Set.of(
            "connection",
            "keep-alive",
            "transfer-encoding",
            "te",
            "trailer",
            "upgrade",
            "host",
            "location",
            "set-cookie",
            "www-authenticate",
            "cache-control",
            "expires",
            "date",
            "etag",
            "vary",
            "age",
            "allow",
            "retry-after",
            "server",
            "strict-transport-security");

    private final ConfigValues values;
    private final Consumer<Problem> problems;

    DegradedReader(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        this.problems = problems;
    }

    Optional<String> read() {
        return values.find(ConfigValues.PREFIX + KEY, problems)
                .flatMap(found ->
                        found.read(DegradedReader::name, "the name of a header, such as Degraded, or off", problems))
                .flatMap(name -> name);
    }

    private static Optional<String> name(String text) {
        if (text.equalsIgnoreCase(OFF)) {
            return Optional.empty();
        }
        if (text.length() > LONGEST || !TOKEN.matcher(text).matches()) {
            throw new IllegalArgumentException("it is no name of a header, or a long one");
        }
        String lower = text.toLowerCase(Locale.ROOT);
        if (TAKEN.contains(lower) || lower.startsWith("content-") || lower.startsWith("access-control-")) {
            throw new IllegalArgumentException("that header has a meaning of its own");
        }
        return Optional.of(text);
    }
}
