package io.distributedfallback.admin;

import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.CopyStatus;
import io.distributedfallback.core.ControlRoom;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One page of the breakers, searched, filtered and sorted here, so that a browser never gets all of them. Only those of
 * the page are looked at closely: the policy of a breaker may have to be read anew.
 */
final class BreakerList {

    static final int LARGEST_PAGE = 200;
    private static final int DEFAULT_PAGE = 50;
    private static final Set<String> PARAMETERS = Set.of("search", "state", "page", "size");

    /** What can be asked for; a breaker may be several of these at a time. */
    private enum Group {
        OPEN,
        CLOSED,
        FORCED,
        COOLING,
        COUNTING;

        boolean has(BreakerStatus status) {
            boolean isOpen = status.standing().state() == BreakerState.OPEN;
            return switch (this) {
                case OPEN -> isOpen;
                case CLOSED -> !isOpen;
                case FORCED -> status.holds().override().isPresent();
                case COOLING -> !status.holds().cooldownLeft().isZero();
                case COUNTING ->
                    !isOpen
                            && (status.standing().consecutiveFailures() > 0
                                    || !status.window().left().isZero());
            };
        }

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Group of(String text) {
            return Arrays.stream(values())
                    .filter(group -> group.text().equals(text))
                    .findFirst()
                    .orElseThrow(() -> Refusal.badRequest("state must be one of "
                            + Arrays.stream(values()).map(Group::text).collect(Collectors.joining(", "))));
        }
    }

    private static final Comparator<BreakerStatus> ORDER = Comparator.comparingInt(BreakerList::rank)
            .thenComparing(BreakerStatus::breaker, String.CASE_INSENSITIVE_ORDER)
            .thenComparing(BreakerStatus::breaker);

    private static int rank(BreakerStatus status) {
        if (Group.OPEN.has(status) || Group.FORCED.has(status)) {
            return 0;
        }
        if (Group.COOLING.has(status)) {
            return 1;
        }
        return Group.COUNTING.has(status) || status.recovery().rampUp().isPresent() ? 2 : 3;
    }

    private final ControlRoom room;
    private final Instant now;

    BreakerList(ControlRoom room, Instant now) {
        this.room = room;
        this.now = now;
    }

    /** @param mayCommand whether whoever asks may give commands */
    Map<String, Object> of(HttpServletRequest request, boolean mayCommand) {
        Parameters parameters = new Parameters(request, PARAMETERS);
        Optional<Group> group = parameters.text("state").map(Group::of);
        int page = (int) parameters.number("page", 0, Integer.MAX_VALUE).orElse(0);
        int size = (int) parameters.number("size", 1, LARGEST_PAGE).orElse(DEFAULT_PAGE);
        String search = parameters.text("search").orElse("").strip().toLowerCase(Locale.ROOT);

        room.refresh();
        List<BreakerStatus> found = room.statuses().stream()
                .filter(status -> status.breaker().toLowerCase(Locale.ROOT).contains(search))
                .toList();
        List<BreakerStatus> chosen = found.stream()
                .filter(status -> group.isEmpty() || group.get().has(status))
                .sorted(ORDER)
                .toList();

        Map<String, Object> json = new LinkedHashMap<>();
        json.put("instance", room.instance());
        json.put("now", now);
        json.put("total", chosen.size());
        json.put("page", page);
        json.put("size", size);
        json.put("counts", counts(found));
        json.put("copy", copy());
        json.put("mayCommand", mayCommand);
        json.put(
                "breakers",
                chosen.stream()
                        .skip((long) page * size)
                        .limit(size)
                        .map(status -> BreakerJson.of(status, room.policyOf(status.breaker()), now))
                        .toList());
        return json;
    }

    private static Map<String, Object> counts(List<BreakerStatus> found) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("all", found.size());
        for (Group group : Group.values()) {
            counts.put(group.text(), found.stream().filter(group::has).count());
        }
        return counts;
    }

    private static Map<String, Object> loss(CopyStatus.Loss loss) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("awayMillis", loss.away().toMillis());
        json.put("code", loss.code());
        json.put("reason", loss.reason());
        return json;
    }

    private Map<String, Object> copy() {
        Map<String, Object> copy = new LinkedHashMap<>();
        CopyStatus status = room.copy();
        copy.put("ageMillis", status.age().map(Duration::toMillis));
        copy.put("push", status.push().name().toLowerCase(Locale.ROOT));
        copy.put("storeUp", status.storeUp());
        copy.put("loss", status.loss().map(BreakerList::loss));
        return copy;
    }
}
