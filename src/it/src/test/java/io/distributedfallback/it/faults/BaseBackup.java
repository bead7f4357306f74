package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Postgres;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Makes the folder of a standby out of that of a running primary, as {@code pg_basebackup} does, which the embedded
 * binaries lack: PostgreSQL, "Making a Base Backup Using the Low Level API".
 */
final class BaseBackup {

    /** Not to be copied, by the manual; and the configuration, which the standby gets anew. */
    private static final Set<String> FILES =
            Set.of("postmaster.pid", "postmaster.opts", "epg-lock", "postgresql.auto.conf", "standby.signal");

    /** Of these the folder alone is needed. */
    private static final Set<String> CONTENTS = Set.of(
            "pg_wal",
            "pg_replslot",
            "pg_dynshmem",
            "pg_notify",
            "pg_serial",
            "pg_snapshots",
            "pg_stat_tmp",
            "pg_subtrans");

    private BaseBackup() {}

    /**
     * Copies.
     *
     * @param to an empty folder
     */
    static void take(PostgresServer primary, Path to) throws SQLException, IOException {
        // The backup ends with its session.
        try (Connection session = primary.connect();
                Statement statement = session.createStatement()) {
            statement.execute("SELECT pg_backup_start('standby', true)");
            copy(primary.data(), to);
            try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                row.next();
                Files.writeString(to.resolve("backup_label"), row.getString(1));
            }
        }
        Files.createDirectories(to.resolve("pg_wal/archive_status"));
        Files.writeString(to.resolve("standby.signal"), "");
        Files.writeString(
                to.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=" + primary.port() + " user=" + Postgres.USER + " password="
                        + Postgres.PASSWORD + " application_name=standby'\n");
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(folder)));
                return CONTENTS.contains(from.relativize(folder).toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!FILES.contains(file.getFileName().toString())) {
                    try {
                        Files.copy(file, to.resolve(from.relativize(file)));
                    } catch (NoSuchFileException removedMeanwhile) {
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException reason) {
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
