package io.distributedfallback.admin;

import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueCounts;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.queue.StoredCall;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** The queues, as the API shows them, and what can be done with stored calls. Of their arguments the
 * value of the key that orders them is shown, and no other. */
final class QueuePages {

    static final String QUEUES = "/api/queues";
    static final String CALLS = "/api/queued-calls";
    static final String COMMANDS = "/api/queue-commands";

    private static final int DEFAULT_LIMIT = 50;
    private static final String BREAKER = "breaker";
    private static final String METHOD = "method";
    private static final Set<String> CALL_PARAMETERS = Set.of(BREAKER, "state", "before", "limit");

    private final Supplier<QueueRoom> room;
    private final Commands commands;

    QueuePages(Supplier<QueueRoom> room, Commands commands) {
        this.room = room;
        this.commands = commands;
    }

    Map<String, Object> queues(HttpServletRequest request) {
        Optional<String> breaker = new Parameters(request, Set.of(BREAKER)).text(BREAKER);
        Set<QueueName> declared = room.get().declared();
        List<Map<String, Object>> queues = room.get().counts().stream()
                .filter(each -> breaker.isEmpty() || each.queue().breaker().equals(breaker.get()))
                .map(each -> queue(each, declared))
                .toList();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("queues", queues);
        return json;
    }

    private static Map<String, Object> queue(QueueCounts counts, Set<QueueName> declared) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(BREAKER, counts.queue().breaker());
        json.put(METHOD, counts.queue().method());
        json.put("declared", declared.contains(counts.queue()));
        json.put("pending", counts.pending());
        json.put("dead", counts.dead());
        json.put("oldestStoredAt", counts.oldest());
        return json;
    }

    Map<String, Object> calls(HttpServletRequest request) {
        Parameters parameters = new Parameters(request, CALL_PARAMETERS);
        int limit = (int) parameters.number("limit", 1, CallQuery.MOST).orElse(DEFAULT_LIMIT);
        List<StoredCall> calls = room.get()
                .calls(new CallQuery(
                        parameters.text(BREAKER),
                        parameters.text("state").map(QueuePages::isDead),
                        parameters.number("before", 1, Long.MAX_VALUE),
                        limit));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("calls", calls.stream().map(QueuePages::call).toList());
        // With fewer than were asked for there are no more.
        json.put(
                "next",
                calls.size() < limit ? null : calls.get(calls.size() - 1).id());
        return json;
    }

    private static boolean isDead(String state) {
        return switch (state) {
            case "DEAD" -> true;
            case "PENDING" -> false;
            default -> throw Refusal.badRequest("state must be PENDING or DEAD");
        };
    }

    private static Map<String, Object> call(StoredCall call) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", call.id());
        json.put(BREAKER, call.queue().breaker());
        json.put(METHOD, call.queue().method());
        json.put("key", call.key());
        json.put("state", call.dead() ? "DEAD" : "PENDING");
        json.put("leased", call.leased());
        json.put("attempts", call.attempts());
        json.put("storedAt", call.storedAt());
        json.put("storedBy", call.storedBy());
        json.put("dueAt", call.dueAt());
        json.put("lastError", call.lastError());
        json.put("argumentBytes", call.argumentBytes());
        return json;
    }

    /** Carries out a command, and answers how many calls it met. */
    Map<String, Object> carryOut(HttpServletRequest request) {
        String by = commands.operator(request);
        Map<String, Object> fields =
                CommandText.fields(Commands.body(request), Set.of("action", BREAKER, METHOD, "call", "reason"));
        QueueCommand command = command(fields, by);
        long met = room.get().carryOut(command);
        if (met == 0 && command.call().isPresent()) {
            throw Refusal.notFound("There is no such call, or it is not in a state for that");
        }
        return Map.of("calls", met);
    }

    private static QueueCommand command(Map<String, Object> fields, String by) {
        QueueName queue = new QueueName(name(fields, BREAKER), name(fields, METHOD));
        try {
            return new QueueCommand(
                    action(CommandText.text(fields, "action")),
                    queue,
                    callOf(fields.get("call")),
                    by,
                    CommandText.text(fields, "reason"));
        } catch (IllegalArgumentException e) {
            throw Refusal.badRequest(e.getMessage());
        }
    }

    /** No name holds a control character, and the database could not even be asked for some. */
    private static String name(Map<String, Object> fields, String field) {
        String name = CommandText.text(fields, field);
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw Refusal.badRequest(field + " must not hold control characters");
        }
        return name;
    }

    private static QueueCommand.Action action(String text) {
        for (QueueCommand.Action action : QueueCommand.Action.values()) {
            if (action.name().equals(text)) {
                return action;
            }
        }
        throw Refusal.badRequest("action must be RETRY or DISCARD");
    }

    private static OptionalLong callOf(Object value) {
        if (value == null) {
            return OptionalLong.empty();
        }
        if (value instanceof Long id && id >= 1) {
            return OptionalLong.of(id);
        }
        throw Refusal.badRequest("call must be null or the id of a call");
    }
}
