package io.distributedfallback.admin;

import io.distributedfallback.OperatorCommand;
import io.distributedfallback.OperatorCommand.Action;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the body of a command says. Nothing is overlooked: a field that is not known, or of another type, is refused, for
 * whoever sent it meant something by it.
 *
 * @param breaker the breaker's name
 * @param action what to do
 * @param reason why
 * @param expiry for how long, if not until it is cleared
 */
record CommandText(String breaker, Action action, String reason, Optional<Duration> expiry) {

    /** A year. */
    private static final long LONGEST_EXPIRY = 31_536_000;

    private static final String BREAKER = "breaker";
    private static final String ACTION = "action";
    private static final String REASON = "reason";
    private static final String EXPIRY = "expirySeconds";
    private static final Set<String> FIELDS = Set.of(BREAKER, ACTION, REASON, EXPIRY);

    static CommandText parse(byte[] body) {
        Map<String, Object> fields = fields(body, FIELDS);
        return new CommandText(
                text(fields, BREAKER), action(text(fields, ACTION)), text(fields, REASON), expiry(fields.get(EXPIRY)));
    }

    /** The fields of a body, if all of them are known. */
    static Map<String, Object> fields(byte[] body, Set<String> known) {
        Map<String, Object> fields = JsonObject.parse(utf8(body));
        if (!known.containsAll(fields.keySet())) {
            throw Refusal.badRequest("Unknown field; the known ones are " + String.join(", ", new TreeSet<>(known)));
        }
        return fields;
    }

    /** @param by who wants it */
    OperatorCommand command(String by) {
        try {
            return new OperatorCommand(action, by, reason, expiry);
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest(e.getMessage());
        }
    }

    private static String utf8(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Refusal.badRequest("The body is not UTF-8");
        }
    }

    static String text(Map<String, Object> fields, String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw Refusal.badRequest(name + " must be there, and be a string");
    }

    private static Action action(String text) {
        for (Action action : Action.values()) {
            if (action.name().equals(text)) {
                return action;
            }
        }
        throw Refusal.badRequest("action must be FORCE_OPEN, FORCE_CLOSED, CLEAR_OVERRIDE or RESET");
    }

    private static Optional<Duration> expiry(Object value) {
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Long seconds && seconds >= 1 && seconds <= LONGEST_EXPIRY) {
            return Optional.of(Duration.ofSeconds(seconds));
        }
        throw Refusal.badRequest("expirySeconds must be null or a whole number from 1 to " + LONGEST_EXPIRY);
    }
}
