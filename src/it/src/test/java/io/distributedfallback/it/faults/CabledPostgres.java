package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/** One PostgreSQL, and a cable for each instance. */
final class CabledPostgres implements Database {

    private static final String OPTIONS = "?user=" + Postgres.USER + "&password=" + Postgres.PASSWORD
            + "&connectTimeout=2&socketTimeout=5&tcpKeepAlive=true";

    private final Postgres postgres = Postgres.empty();
    private final List<Cable> cables;

    CabledPostgres(int instances) {
        cables = Stream.generate(() -> new Cable(postgres.port()))
                .limit(instances)
                .toList();
    }

    Postgres postgres() {
        return postgres;
    }

    /** One for each place in the cluster. */
    List<Cable> cables() {
        return cables;
    }

    @Override
    public String url(int place) {
        return "jdbc:postgresql://127.0.0.1:" + cables.get(place).port() + "/postgres" + OPTIONS;
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres" + OPTIONS);
    }

    @Override
    public void close() {
        cables.forEach(Cable::close);
        postgres.close();
    }
}
