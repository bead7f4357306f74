package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the database knows, told in the time of this process. */
final class Archive {

    private static final String STATE = "SELECT state FROM distributed_breaker WHERE name = ?";
    private static final String COUNT = "SELECT consecutive_failures FROM distributed_breaker WHERE name = ?";
    private static final String NOW = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
    private static final int LOOKS_AT_THE_CLOCK = 7;
    private static final String HISTORY = """
            SELECT id, breaker, from_state, to_state, cause, coalesce(probes_passed, 0),
                   (extract(epoch FROM made_at) * 1000000)::bigint AS made_micros
              FROM distributed_breaker_transition WHERE id > ? ORDER BY id""";

    /** What may lie between two looks at a clock that nobody has moved. */
    private static final long SAME_NANOS = 3_000_000;

    private final Database database;
    private long seen;
    private Optional<Clock> before = Optional.empty();
    private long movedNanos;

    Archive(Database database) {
        this.database = database;
    }

    /** {@code CLOSED} also if there is no row. */
    String stateOfCatalogue() throws SQLException {
        return ask(STATE, Shop.CATALOGUE, "CLOSED");
    }

    /** How many failures of the ledger the database has counted. */
    long ledger() throws SQLException {
        return Long.parseLong(ask(COUNT, Shop.LEDGER, "0"));
    }

    private String ask(String question, String breaker, String otherwise) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(question)) {
            statement.setString(1, breaker);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? rows.getString(1) : otherwise;
            }
        }
    }

    /**
     * The database's clock beside that of this process.
     *
     * @param epoch when it was 1970 for the database
     * @param uncertainty by how much that may be wrong
     */
    private record Clock(long epoch, long uncertainty) {

        long movedSince(Clock other) {
            long moved = Math.abs(epoch - other.epoch);
            return moved > SAME_NANOS + uncertainty + other.uncertainty ? moved : 0;
        }
    }

    /**
     * By how much the database's clock has moved beside that of this process, between the last two times that somebody asked
     * for news: somebody has put the machine's clock right, or the machine was away. 0 if it did not.
     */
    Duration clockMoved() {
        return Duration.ofNanos(movedNanos);
    }

    /** The names of the tables that there are. */
    List<String> tables() throws SQLException {
        List<String> names = new ArrayList<>();
        try (Connection connection = database.connect();
                ResultSet tables =
                        connection.getMetaData().getTables(null, null, "distributed%", new String[] {"TABLE"})) {
            while (tables.next()) {
                names.add(tables.getString("TABLE_NAME"));
            }
        }
        return names;
    }

    /** What has been added since it was last asked for. */
    List<Records.Entry> news() throws SQLException {
        List<Records.Entry> entries = new ArrayList<>();
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(HISTORY)) {
            Clock clock = clock(connection);
            movedNanos = before.map(clock::movedSince).orElse(0L);
            before = Optional.of(clock);
            statement.setLong(1, seen);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    seen = rows.getLong("id");
                    entries.add(new Records.Entry(
                            rows.getString("breaker"),
                            rows.getString("from_state"),
                            rows.getString("to_state"),
                            rows.getString("cause"),
                            rows.getInt(6),
                            clock.epoch() + 1_000 * rows.getLong("made_micros")));
                }
            }
        }
        return entries;
    }

    /**
     * The database's clock, in the time of this process. Of several answers the one is taken that came the
     * soonest: on a busy machine the others may have waited for a long time before anybody looked at the clock.
     */
    private static Clock clock(Connection connection) throws SQLException {
        long shortest = Long.MAX_VALUE;
        long epoch = 0;
        try (PreparedStatement statement = connection.prepareStatement(NOW)) {
            for (int i = 0; i < LOOKS_AT_THE_CLOCK; i++) {
                long asked = System.nanoTime();
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    long micros = rows.getLong(1);
                    long took = System.nanoTime() - asked;
                    if (took < shortest) {
                        shortest = took;
                        epoch = asked + took / 2 - 1_000 * micros;
                    }
                }
            }
        }
        return new Clock(epoch, shortest / 2);
    }
}
