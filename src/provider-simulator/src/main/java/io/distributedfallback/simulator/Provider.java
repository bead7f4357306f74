package io.distributedfallback.simulator;

import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** One simulated provider: its API, what it has been told to be, and how often it was asked. Thread-safe. */
final class Provider {

    private final String name;
    private final ProviderApi api;
    private final AtomicLong searches = new AtomicLong();
    private final AtomicLong lookups = new AtomicLong();
    private volatile Condition condition = Condition.HEALTHY;

    Provider(String name, ProviderApi api) {
        this.name = name;
        this.api = api;
    }

    /**
     * Counts a request, and decides what becomes of it.
     *
     * @return what to answer and when; empty if the provider is gone
     */
    Optional<Reply> ask(Question question) {
        (api.itemAsked(question).isPresent() ? lookups : searches).incrementAndGet();
        Condition now = condition;
        return switch (now.mode()) {
            case HEALTHY, SLOW -> Optional.of(new Reply(api.answer(question), now.delay()));
            case FAILING -> Optional.of(Reply.atOnce(failure(now.status())));
            case THROTTLED ->
                Optional.of(Reply.atOnce(api.error(429)
                        .with("Retry-After", String.valueOf(now.retryAfter().toSeconds()))));
            case UNAUTHORIZED -> Optional.of(Reply.atOnce(api.error(401)));
            case GONE -> Optional.empty();
        };
    }

    void become(Condition next) {
        condition = next;
    }

    /** Healthy, and never asked. */
    void reset() {
        condition = Condition.HEALTHY;
        searches.set(0);
        lookups.set(0);
    }

    /** Its condition; {@code searches}, which visitors cause; and {@code lookups} of one item, which probes cause. */
    JsonObjectBuilder toJson() {
        return Json.createObjectBuilder()
                .add("provider", name)
                .addAll(condition.toJson())
                .add("searches", searches.get())
                .add("lookups", lookups.get());
    }

    private Answer failure(int status) {
        return status == 522 ? Answer.text(522, "error code: 522") : api.error(status);
    }
}
