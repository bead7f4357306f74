package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What the database knows, told in the time of this process. */
final class Archive {

    private static final String STATE = "SELECT state FROM distributed_breaker WHERE name = ?";
    private static final String COUNT = "SELECT consecutive_failures FROM distributed_breaker WHERE name = ?";
    private static final String HISTORY = """
            SELECT id, breaker, from_state, to_state, cause, coalesce(probes_passed, 0),
                   (extract(epoch FROM made_at) * 1000000)::bigint AS micros
              FROM distributed_breaker_transition WHERE id > ? ORDER BY id""";

    private static final int LOOKS = 20;

    private final Database database;
    private long seen;

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

    /** What has been added since it was last asked for. */
    List<Records.Entry> news() throws SQLException {
        List<Records.Entry> entries = new ArrayList<>();
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(HISTORY)) {
            statement.setLong(1, seen);
            try (ResultSet rows = statement.executeQuery()) {
                long epoch = epochNanos();
                while (rows.next()) {
                    seen = rows.getLong("id");
                    entries.add(new Records.Entry(
                            rows.getString("breaker"),
                            rows.getString("from_state"),
                            rows.getString("to_state"),
                            rows.getString("cause"),
                            rows.getInt(6),
                            epoch + 1_000 * rows.getLong("micros")));
                }
            }
        }
        return entries;
    }

    /**
     * What {@link System#nanoTime()} would have said in 1970. The database has the wall clock of this machine; of several
     * attempts that is taken in which this process was held up least between its looks at the two clocks.
     */
    private static long epochNanos() {
        long best = 0;
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < LOOKS; i++) {
            long before = System.nanoTime();
            Instant wall = Instant.now();
            long took = System.nanoTime() - before;
            if (took < shortest) {
                shortest = took;
                best = before + took / 2 - wall.getEpochSecond() * 1_000_000_000 - wall.getNano();
            }
        }
        return best;
    }
}
