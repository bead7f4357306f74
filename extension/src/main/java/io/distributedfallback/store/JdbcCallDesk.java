package io.distributedfallback.store;

import io.distributedfallback.queue.CallDesk;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueCounts;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.StoredCall;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The stored calls in PostgreSQL, for those who look after them. Thread-safe. */
public final class JdbcCallDesk implements CallDesk {

    private static final String DEAD = "DEAD";

    private final CallConnections connections;
    private final JpaStoreSettings settings;
    private final Runnable tables;

    /**
     * Opens nothing yet.
     *
     * @param tables brings them in order, or throws a StoreException; called often
     */
    public JdbcCallDesk(JpaStoreSettings settings, Runnable tables) {
        this.settings = settings;
        this.tables = tables;
        this.connections = new CallConnections(settings);
    }

    @Override
    public List<QueueCounts> counts() {
        tables.run();
        return connections.ask(
                DeskSql.COUNTS,
                line -> new QueueCounts(
                        queue(line), line.getLong("pending"), line.getLong("dead"), moment(line, "oldest")),
                settings.prefix());
    }

    @Override
    public List<StoredCall> list(CallQuery query) {
        tables.run();
        String breaker = query.breaker().map(name -> settings.prefix() + name).orElse(null);
        String state = query.dead().map(dead -> dead ? DEAD : "PENDING").orElse(null);
        Long before = query.before().isPresent() ? (Long) query.before().getAsLong() : null;
        return connections.ask(
                DeskSql.LIST,
                this::call,
                settings.prefix(),
                breaker,
                breaker,
                state,
                state,
                before,
                before,
                query.limit());
    }

    private StoredCall call(ResultSet line) throws SQLException {
        boolean dead = line.getString("state").equals(DEAD);
        return new StoredCall(
                line.getLong("id"),
                queue(line),
                Optional.ofNullable(line.getString("order_key")),
                dead,
                line.getBoolean("leased"),
                line.getInt("attempts"),
                Instant.ofEpochMilli(line.getLong("stored")),
                line.getString("stored_by"),
                dead ? Optional.empty() : moment(line, "due"),
                Optional.ofNullable(line.getString("last_error")),
                line.getInt("bytes"));
    }

    @Override
    public long carryOut(QueueCommand command) {
        tables.run();
        Long call = command.call().isPresent() ? (Long) command.call().getAsLong() : null;
        String breaker = settings.prefix() + command.queue().breaker();
        String method = command.queue().method();
        return connections
                .ask(
                        command.action() == QueueCommand.Action.RETRY ? DeskSql.RETRY : DeskSql.DISCARD,
                        line -> line.getLong(1),
                        breaker,
                        method,
                        call,
                        call,
                        breaker,
                        method,
                        command.action().name(),
                        command.by(),
                        command.reason(),
                        settings.instance())
                .get(0);
    }

    private QueueName queue(ResultSet line) throws SQLException {
        return new QueueName(
                line.getString("breaker").substring(settings.prefix().length()), line.getString("method"));
    }

    private static Optional<Instant> moment(ResultSet line, String column) throws SQLException {
        long millis = line.getLong(column);
        return line.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }
}
