package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Postgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One PostgreSQL, and a cable for each instance. */
final class CabledPostgres implements Database {

    private static final String OPTIONS = "?user=" + Postgres.USER + "&password=" + Postgres.PASSWORD
            + "&connectTimeout=2&socketTimeout=5&tcpKeepAlive=true";

    private final Postgres postgres = Postgres.empty();
    private final List<Cable> cables;
    private final List<Tripwire> tripwires;

    CabledPostgres(int instances) {
        this(instances, false);
    }

    private CabledPostgres(int instances, boolean isWatched) {
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
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres" + OPTIONS);
    }

    @Override
    public void close() {
        tripwires.forEach(Tripwire::close);
        cables.forEach(Cable::close);
        postgres.close();
    }
}
