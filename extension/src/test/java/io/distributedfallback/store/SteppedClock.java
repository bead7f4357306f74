package io.distributedfallback.store;

import io.distributedfallback.core.MonotonicClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;

/**
 * Puts a time of the test's own in the place of PostgreSQL's: a {@code clock_timestamp()} in a schema that the search path
 * names before {@code pg_catalog}. So times jump exactly, and answers can be compared to the microsecond.
 */
final class SteppedClock implements MonotonicClock, AutoCloseable {

    /** What a session must run to live in this time. */
    static final String USE = "SET search_path = public, stepped, pg_catalog";

    /** Half a second before Europe puts its clocks forward. */
    static final Instant START = Instant.parse("2026-03-29T00:59:59.500Z");

    private final Connection connection;
    private final Statement statement;
    private volatile Instant now = START;

    SteppedClock(DataSource dataSource) throws SQLException {
        connection = dataSource.getConnection();
        statement = connection.createStatement();
        statement.execute("CREATE SCHEMA stepped;"
                + " CREATE TABLE stepped.clock (now timestamptz);"
                + " INSERT INTO stepped.clock VALUES ('" + START + "');"
                + " CREATE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE"
                + " AS 'SELECT now FROM stepped.clock'");
    }

    void advance(Duration time) {
        now = now.plus(time);
        try {
            statement.executeUpdate("UPDATE stepped.clock SET now = '" + now + "'");
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return Duration.between(START, now).toNanos();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
