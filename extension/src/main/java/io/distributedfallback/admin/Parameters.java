package io.distributedfallback.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The parameters of a query. One that is not known, given twice or not usable is refused, and never guessed at. */
final class Parameters {

    /** Longer than any name. */
    private static final int LONGEST = 500;

    private final HttpServletRequest request;

    Parameters(HttpServletRequest request, Set<String> known) {
        this.request = request;
        read(request).forEach((name, values) -> {
            if (!known.contains(name)) {
                throw Refusal.badRequest("Unknown parameter; the known ones are " + String.join(", ", known));
            }
            if (values.length != 1 || values[0].length() > LONGEST) {
                throw Refusal.badRequest(name + " must be given once, with " + LONGEST + " characters at most");
            }
            if (values[0].chars().anyMatch(Character::isISOControl)) {
                // No name holds one, and the database could not even be asked for some.
                throw Refusal.badRequest(name + " must not hold control characters");
            }
        });
    }

    /** What a server does about a query that is not percent-encoded UTF-8 is its own affair; some throw, each something else. */
    private static Map<String, String[]> read(HttpServletRequest request) {
        try {
            return request.getParameterMap();
        } catch (RuntimeException e) {
            throw Refusal.badRequest("The query is not percent-encoded UTF-8");
        }
    }

    /** Empty if it is missing or blank. */
    Optional<String> text(String name) {
        return Optional.ofNullable(request.getParameter(name)).filter(text -> !text.isBlank());
    }

    OptionalLong number(String name, long least, long most) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long number = Long.parseLong(text.get());
            // There are digits of other scripts too.
            boolean isAscii = text.get().chars().allMatch(c -> c < 128);
            if (isAscii && number >= least && number <= most) {
                return OptionalLong.of(number);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw Refusal.badRequest(name + " must be a whole number from " + least + " to " + most);
    }
}
