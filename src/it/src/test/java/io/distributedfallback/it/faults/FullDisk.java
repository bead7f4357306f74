package io.distributedfallback.it.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The disk that the tables are on is full: a small tmpfs, which only root may mount. Rows can be read and not written:
 * their pages are full, and a report that has been running for long keeps PostgreSQL from using again what is dead in them.
 */
final class FullDisk {

    static final Fault FAULT = Fault.of("the disk is full", FullDisk::strike, Effect.STORE_AWAY);

    static final String CANNOT =
            "cannot mount a tmpfs, which this fault needs: run it as root, in a container with the capability SYS_ADMIN";

    private static final String FULL = "53100";
    private static final int BLOCK = 4_096;

    private static final List<String> MOVE = List.of(
            "ALTER TABLE distributed_breaker SET (fillfactor = 100)",
            "ALTER TABLE distributed_breaker SET TABLESPACE small",
            "ALTER TABLE distributed_breaker_transition SET TABLESPACE small",
            "VACUUM FULL distributed_breaker",
            "VACUUM FULL distributed_breaker_transition");

    private static final List<String> MOVE_BACK = List.of(
            "DELETE FROM distributed_breaker WHERE name LIKE 'filler%'",
            "DELETE FROM distributed_breaker_transition WHERE breaker = 'filler'",
            "ALTER TABLE distributed_breaker SET TABLESPACE pg_default",
            "ALTER TABLE distributed_breaker_transition SET TABLESPACE pg_default",
            "ALTER TABLE distributed_breaker SET (fillfactor = 50)",
            "VACUUM FULL distributed_breaker",
            "VACUUM FULL distributed_breaker_transition",
            "DROP TABLESPACE IF EXISTS small");

    private static final List<String> FILLERS = List.of("""
            INSERT INTO distributed_breaker (name, version, updated_at, override_reason)
            VALUES ('filler ' || gen_random_uuid(), 1, clock_timestamp(), repeat('x', %d))""", """
            INSERT INTO distributed_breaker_transition
                   (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count, last_failure_text)
            VALUES ('filler', 1, 'OPEN', 'CLOSED', 'RESET', '', clock_timestamp(), 0, repeat('x', %d))""");

    private FullDisk() {}

    private static void strike(World world, Duration length, Random random) throws Exception {
        CabledPostgres database = world.database(CabledPostgres.class);
        Path disk = mount();
        try {
            database.run("CREATE TABLESPACE small LOCATION '" + disk + "'");
            database.run("GRANT CREATE ON TABLESPACE small TO " + CabledPostgres.ROLE);
            database.run(MOVE.toArray(String[]::new));
            try (Connection report = database.connect()) {
                begin(report);
                fill(disk);
                fillPages(database);
                Round.pass(length.toMillis());
            }
        } finally {
            mend(database, disk);
        }
    }

    private static void begin(Connection report) throws SQLException {
        report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        report.setAutoCommit(false);
        try (Statement statement = report.createStatement()) {
            statement.execute("SELECT count(*) FROM distributed_breaker");
        }
    }

    private static void fill(Path disk) throws IOException {
        try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
            while (true) {
                out.write(new byte[BLOCK]);
            }
        } catch (IOException full) {
            if (Files.size(disk.resolve("filler")) == 0) {
                throw full;
            }
        }
    }

    /** What is free within pages that the tables have. */
    private static void fillPages(CabledPostgres database) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String filler : FILLERS) {
                for (int size : new int[] {1_000, 0}) {
                    fillPages(statement, filler.formatted(size));
                }
            }
        }
    }

    private static void fillPages(Statement statement, String filler) throws SQLException {
        try {
            while (true) {
                statement.execute(filler);
            }
        } catch (SQLException full) {
            if (!FULL.equals(full.getSQLState())) {
                throw full;
            }
        }
    }

    private static void mend(CabledPostgres database, Path disk) throws Exception {
        try {
            Files.deleteIfExists(disk.resolve("filler"));
            database.run(MOVE_BACK.toArray(String[]::new));
        } finally {
            // Lazily: PostgreSQL may keep files open that it has deleted.
            run("umount", "-l", disk.toString());
            Files.deleteIfExists(disk);
        }
    }

    /** Whether there can be a small disk here. */
    static boolean mayMount() throws Exception {
        Path disk = Files.createTempDirectory("small-disk").toRealPath();
        boolean isMounted = run("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", disk.toString()) == 0;
        if (isMounted) {
            int unused = run("umount", "-l", disk.toString());
        }
        Files.deleteIfExists(disk);
        return isMounted;
    }

    private static Path mount() throws Exception {
        Path disk = Files.createTempDirectory("small-disk").toRealPath();
        if (run("mount", "-t", "tmpfs", "-o", "size=4m,mode=0700", "tmpfs", disk.toString()) != 0) {
            Files.delete(disk);
            throw new IllegalStateException(CANNOT);
        }
        return disk;
    }

    private static int run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(Arrays.toString(command), e);
        }
    }
}
