package io.distributedfallback.it.server;

import io.distributedfallback.it.harness.Http;
import java.time.Duration;
import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** The application is deployed again and again on a server that runs on. */
@ServerTest
class RedeployedIT {

    private static final System.Logger LOG = System.getLogger(RedeployedIT.class.getName());
    private static final String NAME = "cycled";
    private static final String MARKER = "io.distributedfallback.cdi.DistributedFallbackExtension";

    /** Caches of the server are full after so many. */
    private static final int WARM = 4;

    /** The server keeps some by itself: each of its threads has the last asynchronous request, and the JDK a record's type. */
    private static final int SLACK = 3;

    private static final int ROUNDS = Integer.getInteger("faults.redeploys", 8);

    @Test
    @Timeout(600)
    void no_thread_class_loader_or_connection_is_left_behind(CrowdedServer server) throws Exception {
        ServerJvm jvm = new ServerJvm(server.liberty.jvm());
        deploy_and_use(server, WARM);
        String openedAt = openedAt(server);
        Left warm = left(server, jvm, Integer.MAX_VALUE);
        long start = System.nanoTime();
        deploy_and_use(server, ROUNDS - WARM);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        Left end = left(server, jvm, warm.copies().count() + SLACK);
        LOG.log(
                System.Logger.Level.INFO,
                "{0} deployments in {1}; before {2}, after {3}",
                ROUNDS - WARM,
                took,
                warm,
                end);

        assertThat(end.copies().count())
                .as("class loaders; one of those that are left is held by\n"
                        + end.copies().heldBy())
                .isLessThanOrEqualTo(warm.copies().count() + SLACK);
        assertThat(end.stacks()).as("threads in code of the application").isEmpty();
        assertThat(end.threads()).as("threads").isLessThanOrEqualTo(warm.threads() + SLACK);
        assertThat(end.connections()).as("connections").isLessThanOrEqualTo(warm.connections() + SLACK);
        assertThat(end.listening()).as("connections that listen").isZero();
        assertThat(openedAt(server)).as("an open breaker stays what it is").isEqualTo(openedAt);
        assertThat(server.history(NAME, "byHand")).isEqualTo("CLOSED>OPEN");
    }

    /** What a server still has of an application that is no longer there. */
    private record Left(ServerJvm.Copies copies, List<String> stacks, long threads, int connections, long listening) {}

    private static Left left(CrowdedServer server, ServerJvm jvm, int allowed) {
        until(
                "no thread runs its code",
                CrowdedServer.PATIENCE,
                () -> jvm.threadsOfApplications().isEmpty());
        return new Left(
                jvm.copiesOf(MARKER, allowed),
                jvm.threadsOfApplications(),
                jvm.threadsBesideTheServers(),
                server.connections("pool"),
                server.query(
                        Long.class,
                        "SELECT count(*) FROM pg_stat_activity"
                                + " WHERE application_name = 'pool' AND query LIKE 'LISTEN%'"));
    }

    private static String openedAt(CrowdedServer server) {
        return server.query(
                String.class, "SELECT opened_at::text FROM distributed_breaker WHERE name = ?", NAME + ":byHand");
    }

    /** Every other time the new version takes the place of one that runs. */
    private static void deploy_and_use(CrowdedServer server, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            WebArchive version = CrowdedServer.application(
                    NAME, "distributed-fallback.push=on", "distributed-fallback.instance-id=version-" + i);
            server.deploy(version);
            use(server);
            if (i % 2 == 1) {
                server.undeploy(version);
            }
        }
    }

    private static void use(CrowdedServer server) throws Exception {
        until(
                "it listens",
                CrowdedServer.PATIENCE,
                () -> server.ask(NAME, "/copy").body().equals("LISTENING read up"));
        if (server.state(NAME, "byHand").equals("OPEN")) {
            assertThat(server.ask(NAME, "/status/byHand").body()).isEqualTo("OPEN FALLBACK");
        }
        visitAll(server, 1);
        server.ask(NAME, "/turn/down");
        visitAll(server, 3);
        server.ask(NAME, "/later?millis=1");
        assertThat(Http.get(server.liberty.root("/metrics")).body()).contains("distributedfallback_calls_total");
        assertThat(Http.get(server.liberty.root("/health")).status()).isEqualTo(200);
        assertThat(server.state(NAME, "byHand")).isEqualTo("OPEN");
    }

    /** What they are answered is the business of other tests. */
    private static void visitAll(CrowdedServer server, int times) throws Exception {
        for (String kind : List.of("plain", "kept", "limited", "queued", "keyed", "byHand")) {
            for (int i = 0; i < times; i++) {
                Http.get(server.uri(NAME, "/call/" + kind));
            }
        }
    }
}
