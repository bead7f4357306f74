package io.distributedfallback.benchmarks.store;

import java.sql.SQLException;

/**
 * The statements that a database has executed on our table, as it counts them itself.
 *
 * @param reads those that change nothing
 * @param writes those that were to change something
 * @param changes rows that the writes did change
 */
record Statements(long reads, long writes, long changes) {

    private static final String OURS = " FROM pg_stat_statements AS s JOIN pg_database AS d ON d.oid = s.dbid"
            + " WHERE d.datname = current_database() AND s.query ~ '(FROM|INTO|UPDATE) distributed_breaker AS b'";
    private static final String WRITING = " AND s.query ~ '(INSERT INTO|UPDATE) distributed_breaker AS b'";
    private static final String READING = " AND s.query !~ '(INSERT INTO|UPDATE) distributed_breaker AS b'";

    /** Since the database was started. */
    static Statements of(Pool pool) throws SQLException {
        return new Statements(
                pool.number("SELECT sum(s.calls)" + OURS + READING),
                pool.number("SELECT sum(s.calls)" + OURS + WRITING),
                pool.number("SELECT sum(s.rows)" + OURS + WRITING));
    }

    Statements since(Statements earlier) {
        return new Statements(reads - earlier.reads, writes - earlier.writes, changes - earlier.changes);
    }
}
