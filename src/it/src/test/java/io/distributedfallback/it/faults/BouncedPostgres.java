package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.PgBouncer;
import io.distributedfallback.it.harness.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** One PostgreSQL, and a PgBouncer in transaction mode that all instances go through. */
final class BouncedPostgres implements Database {

    private static final String OPTIONS = "?user=" + Postgres.USER + "&password=" + Postgres.PASSWORD
            + "&connectTimeout=2&socketTimeout=5&tcpKeepAlive=true";

    private final Postgres postgres = Postgres.empty();
    private final PgBouncer bouncer;
    private final String options;

    /**
     * Starts both.
     *
     * @param name for the log
     * @param connections of the pooler to the database
     * @param options of the URL on top of time-outs
     */
    BouncedPostgres(String name, int connections, String options) {
        this.options = options;
        try {
            bouncer = new PgBouncer(postgres.port(), connections, Path.of("target", "faults", name + "-pgbouncer.log"));
        } catch (RuntimeException | Error e) {
            postgres.close();
            throw e;
        }
    }

    Postgres postgres() {
        return postgres;
    }

    PgBouncer bouncer() {
        return bouncer;
    }

    @Override
    public String url(int place) {
        return "jdbc:postgresql://127.0.0.1:" + bouncer.port() + "/postgres" + OPTIONS + options;
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres" + OPTIONS);
    }

    @Override
    public void close() {
        try (postgres) {
            bouncer.close();
        }
    }
}
