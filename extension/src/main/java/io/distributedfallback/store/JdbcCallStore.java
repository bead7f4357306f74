package io.distributedfallback.store;

import io.distributedfallback.queue.CallStore;
import io.distributedfallback.queue.NewCall;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.TakenCall;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Calls in PostgreSQL, by the data source of the application. Thread-safe. */
public final class JdbcCallStore implements CallStore {

    /** The part of a second whose calls may be made up for at once, if none was made for that long. */
    private static final int PARTS_MADE_UP_FOR = 5;

    private static final int MILLIS_PER_SECOND = 1000;

    private final CallConnections connections;
    private final CallConnections callers;
    private final JpaStoreSettings settings;
    private final Runnable tables;

    /** Those whose row is known to be there. */
    private final Set<QueueName> paced = ConcurrentHashMap.newKeySet();

    /**
     * Opens nothing yet.
     *
     * @param callers with the data source by which calls are stored; it takes part in the transactions of callers, if it can
     * @param tables brings them in order, or throws a StoreException; called often, and never on a caller's thread
     */
    public JdbcCallStore(JpaStoreSettings settings, JpaStoreSettings callers, Runnable tables) {
        this.settings = settings;
        this.tables = tables;
        this.connections = new CallConnections(settings);
        this.callers = new CallConnections(callers);
    }

    @Override
    public void store(NewCall call) {
        callers.changeWithCaller(
                CallSql.STORE,
                stored(call.queue()),
                call.queue().method(),
                call.key().orElse(null),
                call.arguments(),
                settings.instance(),
                call.delay().toMillis());
    }

    @Override
    public List<TakenCall> take(QueueName queue, Terms terms) {
        tables.run();
        if (!paced.contains(queue)) {
            connections.change(CallSql.ADD_QUEUE, stored(queue), queue.method());
            paced.add(queue);
        }
        return connections.ask(
                CallSql.take(terms.most()),
                line -> new TakenCall(
                        line.getLong("id"),
                        line.getString("arguments"),
                        line.getInt("attempts"),
                        Duration.ofMillis(line.getLong("age")),
                        terms.token()),
                stored(queue),
                queue.method(),
                Math.max(MILLIS_PER_SECOND / PARTS_MADE_UP_FOR, roundedUp(MILLIS_PER_SECOND, terms.rate())),
                stored(queue),
                queue.method(),
                stored(queue),
                queue.method(),
                terms.rate(),
                terms.lease().toMillis(),
                terms.token(),
                terms.rate(),
                stored(queue),
                queue.method());
    }

    private static int roundedUp(int number, int divisor) {
        return (number + divisor - 1) / divisor;
    }

    @Override
    public Optional<Duration> untilNext(QueueName queue, int rate) {
        tables.run();
        return connections
                .ask(
                        CallSql.UNTIL_NEXT,
                        line -> Duration.ofMillis(line.getLong(1)),
                        stored(queue),
                        queue.method(),
                        rate)
                .stream()
                .findFirst();
    }

    @Override
    public Set<Long> renew(List<TakenCall> calls, Duration lease) {
        return calls.isEmpty()
                ? Set.of()
                : Set.copyOf(connections.ask(
                        CallSql.RENEW,
                        line -> line.getLong("id"),
                        lease.toMillis(),
                        ids(calls),
                        calls.get(0).token()));
    }

    @Override
    public void giveBack(List<TakenCall> calls) {
        if (!calls.isEmpty()) {
            connections.change(CallSql.GIVE_BACK, ids(calls), calls.get(0).token());
        }
    }

    /** An array as PostgreSQL writes it. */
    private static String ids(List<TakenCall> calls) {
        return calls.stream().map(call -> Long.toString(call.id())).collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public boolean done(TakenCall call) {
        return connections.change(CallSql.DONE, call.id(), call.token()) > 0;
    }

    @Override
    public boolean again(TakenCall call, Duration pause, boolean counts, Optional<String> error) {
        return connections.change(
                        CallSql.AGAIN, pause.toMillis(), counts ? 0 : 1, error.orElse(null), call.id(), call.token())
                > 0;
    }

    @Override
    public boolean dead(TakenCall call, String error) {
        return connections.change(CallSql.DEAD, error, call.id(), call.token()) > 0;
    }

    /** The breaker's name in the database. */
    private String stored(QueueName queue) {
        return settings.prefix() + queue.breaker();
    }
}
