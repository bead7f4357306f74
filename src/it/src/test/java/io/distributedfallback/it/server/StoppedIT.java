package io.distributedfallback.it.server;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Reply;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** The application is stopped while everything that it can have under way is under way. */
@ServerTest
class StoppedIT {

    private static final String NAME = "stopped";

    /** The server itself waits for calls under way, and one may hang for three seconds. */
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    @Test
    void a_lease_is_given_back_and_nothing_is_left(CrowdedServer server) throws Exception {
        WebArchive application = deploy(server);
        CompletableFuture<Reply> calling = get(server.uri(NAME, "/call/kept"));
        CompletableFuture<Reply> staged = get(server.uri(NAME, "/later?millis=3000"));
        all_hangs(server);

        String told = stop(server, application);

        assertThat(leaseHeld(server)).as("given back, long before its end").isFalse();
        assertThat(calling.get().body()).isEqualTo("fallback");
        assertThat(staged.get().status()).as("the server lets go of it").isIn(200, 500, 503);
        assertThat(told).doesNotContain("DFB").doesNotContain("FFDC");
        nothing_is_left(server);
    }

    @Test
    void a_write_that_waits_for_a_row_holds_nothing_up(CrowdedServer server) throws Exception {
        WebArchive application = deploy(server);
        try (Connection other = DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + server.postgres.port() + "/postgres",
                Postgres.USER,
                Postgres.PASSWORD)) {
            CompletableFuture<Reply> writing = write_to_a_locked_row(server, other);
            all_hangs(server);

            String told = stop(server, application);

            assertThat(writing.get().body()).isEqualTo("fallback");
            assertThat(told.lines().filter(line -> line.contains("DFB") || line.contains("FFDC")))
                    .as("that the store was lost, and what the instance makes of it alone: no storm")
                    .hasSizeLessThan(4);
            nothing_is_left(server);
        }
    }

    private static WebArchive deploy(CrowdedServer server) throws Exception {
        WebArchive application = CrowdedServer.application(
                NAME,
                "distributed-fallback.push=on",
                "distributed-fallback.store.write-timeout=3s",
                "distributed-fallback.breaker.plain.probe-timeout=70s",
                "distributed-fallback.breaker.plain.probe-lease=80s");
        server.deploy(application);
        fail_until_open(server);
        return application;
    }

    private static void all_hangs(CrowdedServer server) {
        until("a probe hangs", CrowdedServer.PATIENCE, () -> {
            server.ask(NAME, "/turn/hanging");
            return leaseHeld(server);
        });
    }

    private static String stop(CrowdedServer server, WebArchive application) {
        int before = server.liberty.log().length();
        assertThat(server.undeploy(application)).isLessThan(LONGEST_STOP);
        return server.liberty.log().substring(before);
    }

    private static void nothing_is_left(CrowdedServer server) {
        ServerJvm jvm = new ServerJvm(server.liberty.jvm());
        until(
                "no thread is left in the code of the application",
                CrowdedServer.PATIENCE,
                () -> jvm.threadsOfApplications().isEmpty());
        assertThat(
                        server.query(
                                Long.class,
                                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pool' AND query LIKE 'LISTEN%'"))
                .as("connections that listen")
                .isZero();
    }

    private static void fail_until_open(CrowdedServer server) throws Exception {
        until(
                "it listens",
                CrowdedServer.PATIENCE,
                () -> server.ask(NAME, "/copy").body().equals("LISTENING read up"));
        server.ask(NAME, "/turn/down");
        until("the breaker of the write has a row", CrowdedServer.PATIENCE, () -> {
            assertThat(server.ask(NAME, "/call/keyed").body()).isEqualTo("fallback");
            return !server.state(NAME, "keyed[a tenant]").isEmpty();
        });
        until("it has opened", CrowdedServer.PATIENCE, () -> {
            assertThat(server.ask(NAME, "/call/plain").body()).isEqualTo("fallback");
            return server.state(NAME, "plain").equals("OPEN");
        });
    }

    private static CompletableFuture<Reply> write_to_a_locked_row(CrowdedServer server, Connection other)
            throws Exception {
        other.setAutoCommit(false);
        try (PreparedStatement lock =
                other.prepareStatement("SELECT name FROM distributed_breaker WHERE name = ? FOR UPDATE")) {
            lock.setString(1, NAME + ":keyed[a tenant]");
            assertThat(lock.executeQuery().next()).isTrue();
        }
        CompletableFuture<Reply> writing = get(server.uri(NAME, "/call/keyed"));
        until(
                "a write waits for the row",
                CrowdedServer.PATIENCE,
                () -> server.query(Long.class, "SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
        return writing;
    }

    private static boolean leaseHeld(CrowdedServer server) {
        return server.query(
                        Long.class,
                        "SELECT count(*) FROM distributed_breaker WHERE name = ? AND probe_lease_until > now()",
                        NAME + ":plain")
                > 0;
    }

    private static CompletableFuture<Reply> get(URI address) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Http.get(address);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
