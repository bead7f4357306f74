package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What the database knows, told in the time of this process. */
final class Archive {

    private static final String STATE = "SELECT state FROM distributed_breaker WHERE name = ?";
    private static final String COUNT = "SELECT consecutive_failures FROM distributed_breaker WHERE name = ?";
    private static final String HISTORY = """
            SELECT id, breaker, from_state, to_state, cause, coalesce(probes_passed, 0),
                   (extract(epoch FROM clock_timestamp() - made_at) * 1000000)::bigint AS micros_ago
              FROM distributed_breaker_transition WHERE id > ? ORDER BY id""";

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
            statement.setLong(1, seen);
            try (ResultSet rows = statement.executeQuery()) {
                // The moment of the answer is that of the question, give or take a millisecond.
                long now = System.nanoTime();
                while (rows.next()) {
                    seen = rows.getLong("id");
                    entries.add(new Records.Entry(
                            rows.getString("breaker"),
                            rows.getString("from_state"),
                            rows.getString("to_state"),
                            rows.getString("cause"),
                            rows.getInt(6),
                            now - 1_000 * rows.getLong("micros_ago")));
                }
            }
        }
        return entries;
    }
}
