package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One PostgreSQL, and a cable for each instance. */
final class CabledPostgres implements Database {

    /** The role of the instances, which owns the tables. */
    static final String ROLE = "app";

    private static final String OPTIONS =
            "?user=" + ROLE + "&password=" + ROLE + "&connectTimeout=2&socketTimeout=5&tcpKeepAlive=true";

    /** Whoever mends the database is not held up by what is wrong with it. */
    private static final String OPTIONS_OF_ADMINISTRATOR = "?user=" + Postgres.USER + "&password=" + Postgres.PASSWORD
            + "&connectTimeout=5&socketTimeout=60&options=-c%20statement_timeout=0%20-c%20default_transaction_read_only=off";

    /** The embedded one commits before it has written; few connections are quickly taken. */
    private static final Map<String, String> SETTINGS = Map.of("synchronous_commit", "on", "max_connections", "50");

    private final Postgres postgres = Postgres.with(SETTINGS);
    private final List<Cable> cables;
    private final List<Tripwire> tripwires;

    CabledPostgres(int instances) {
        this(instances, false);
    }

    private CabledPostgres(int instances, boolean isWatched) {
        postgres.execute(
                "postgres",
                "CREATE ROLE " + ROLE + " LOGIN PASSWORD '" + ROLE + "'",
                "GRANT USAGE, CREATE ON SCHEMA public TO " + ROLE);
        cables = Stream.generate(() -> new Cable(postgres.port()))
                .limit(instances)
                .toList();
        tripwires = IntStream.range(0, isWatched ? instances : 0)
                .mapToObj(place -> new Tripwire(place, cables.get(place).port()))
                .toList();
    }

    /** One whose instances can be killed at a step of their work. */
    static CabledPostgres watched(int instances) {
        return new CabledPostgres(instances, true);
    }

    Postgres postgres() {
        return postgres;
    }

    /** One for each place in the cluster. */
    List<Cable> cables() {
        return cables;
    }

    /** One for each place in the cluster; none if it is not watched. */
    List<Tripwire> tripwires() {
        return tripwires;
    }

    @Override
    public String url(int place) {
        String end = "/postgres" + OPTIONS;
        return "jdbc:postgresql://127.0.0.1:"
                + (tripwires.isEmpty()
                        ? cables.get(place).port() + end
                        : tripwires.get(place).port() + end + Tripwire.OPTIONS);
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres" + OPTIONS_OF_ADMINISTRATOR);
    }

    /** Runs statements as the administrator, each in a transaction of its own. */
    void run(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public void close() {
        try (postgres) {
            cables.forEach(Cable::close);
            tripwires.forEach(Tripwire::close);
        }
    }
}
