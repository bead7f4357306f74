package io.distributedfallback.admin;

import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.HistoryEntry;
import io.distributedfallback.core.HistoryEntry.Command;
import io.distributedfallback.core.HistoryEntry.Evidence;
import io.distributedfallback.core.HistoryQuery;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The history, as the API shows it: the newest entry first. */
final class HistoryJson {

    private static final Set<String> PARAMETERS = Set.of("breaker", "before", "limit");
    private static final int DEFAULT_LIMIT = 50;

    private HistoryJson() {}

    static Map<String, Object> of(ControlRoom room, HttpServletRequest request) {
        Parameters parameters = new Parameters(request, PARAMETERS);
        int limit = (int) parameters.number("limit", 1, HistoryQuery.MOST).orElse(DEFAULT_LIMIT);
        OptionalLong before = parameters.number("before", 1, Long.MAX_VALUE);
        List<HistoryEntry> entries = room.history(new HistoryQuery(parameters.text("breaker"), before, limit));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("entries", entries.stream().map(HistoryJson::entry).toList());
        // With fewer than were asked for there are no more.
        json.put(
                "next",
                entries.size() < limit ? null : entries.get(entries.size() - 1).id());
        return json;
    }

    private static Map<String, Object> entry(HistoryEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", entry.id());
        json.put("breaker", entry.breaker());
        json.put("at", entry.at());
        json.put("from", entry.from());
        json.put("to", entry.to());
        json.put("cause", entry.cause());
        json.put("instance", entry.instance());
        json.put("evidence", evidence(entry.evidence()));
        json.put("command", entry.command().map(HistoryJson::command));
        return json;
    }

    private static Map<String, Object> evidence(Evidence evidence) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("consecutiveFailures", evidence.consecutiveFailures());
        json.put("windowCalls", evidence.windowCalls());
        json.put("windowFailures", evidence.windowFailures());
        json.put("probesPassed", evidence.probesPassed());
        json.put("failingInstances", new TreeSet<>(evidence.failingInstances()));
        json.put(
                "lastFailures",
                evidence.lastFailures().stream().map(BreakerJson::lastFailure).toList());
        json.put("policy", evidence.policy());
        json.put(
                "rampUpPercent",
                evidence.rampUpPercent().isPresent() ? evidence.rampUpPercent().getAsInt() : null);
        return json;
    }

    private static Map<String, Object> command(Command command) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("action", command.action());
        json.put("reason", command.reason());
        json.put("by", command.by());
        json.put("overrideBefore", command.overrideBefore());
        json.put("overrideAfter", command.overrideAfter());
        json.put("overrideUntil", command.overrideUntil());
        return json;
    }
}
