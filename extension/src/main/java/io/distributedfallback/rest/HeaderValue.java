package io.distributedfallback.rest;

import io.distributedfallback.Degraded.Answer;
import io.distributedfallback.Degraded.Rung;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Answers as a list of structured fields (RFC 9651, section 3.1): {@code rawg;rung=last-good;age=12, igdb;rung=fallback}.
 * A breaker and a rung stand there once, with the greatest age. Whatever a breaker's name holds, the value is visible ASCII.
 */
final class HeaderValue {

    /** Servers and proxies allow some thousand characters for all headers together. */
    private static final int LONGEST = 2000;

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*");
    private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7E]*");

    private HeaderValue() {}

    private record Member(String breaker, Rung rung) {}

    /** Empty if there is nothing to tell. What comes after too many characters is left out. */
    static Optional<String> of(Collection<Answer> answers) {
        Map<Member, Duration> members = new LinkedHashMap<>();
        for (Answer answer : answers) {
            members.merge(
                    new Member(answer.breaker(), answer.rung()),
                    answer.age().orElse(Duration.ZERO),
                    (one, other) -> one.compareTo(other) > 0 ? one : other);
        }
        StringBuilder value = new StringBuilder();
        for (Map.Entry<Member, Duration> member : members.entrySet()) {
            String text = text(member.getKey(), member.getValue());
            if (value.length() + text.length() + 2 > LONGEST) {
                break;
            }
            value.append(value.isEmpty() ? "" : ", ").append(text);
        }
        return value.isEmpty() ? Optional.empty() : Optional.of(value.toString());
    }

    private static String text(Member member, Duration age) {
        String rung = member.rung().name().toLowerCase(Locale.ROOT).replace('_', '-');
        return item(member.breaker()) + ";rung=" + rung
                + (member.rung() == Rung.LAST_GOOD ? ";age=" + age.toSeconds() : "");
    }

    /** A token, a string, or a display string (sections 3.3.4, 3.3.3 and 3.3.8), whichever can carry it first. */
    private static String item(String name) {
        if (TOKEN.matcher(name).matches()) {
            return name;
        }
        if (PRINTABLE.matcher(name).matches()) {
            return '"' + name.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
        StringBuilder display = new StringBuilder("%\"");
        for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
            if (octet < 0x20 || octet > 0x7E || octet == '%' || octet == '"') {
                display.append(String.format(Locale.ROOT, "%%%02x", octet & 0xFF));
            } else {
                display.append((char) octet);
            }
        }
        return display.append('"').toString();
    }
}
