package io.distributedfallback.benchmarks;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;

/** A PostgreSQL of its own, for as long as it is open. */
public final class Database implements AutoCloseable {

    private final EmbeddedPostgres server;

    private Database(EmbeddedPostgres server) {
        this.server = server;
    }

    /** Starts one. */
    public static Database start() throws IOException {
        return new Database(EmbeddedPostgres.start());
    }

    /** Its address, with the user. */
    public String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
