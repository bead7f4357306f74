package io.distributedfallback.it.server;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.Reply;
import io.distributedfallback.it.server.Visitors.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** The application itself takes all connections of the data source that its breakers use. */
@ServerTest
class PoolExhaustedIT {

    private static final String NAME = "pool";

    /** The pool has four, and the breakers listen on one. */
    private static final int ALL_BUT_ONE = 3;

    /** A call may have to read and to write; a busy machine takes a little more. */
    private static final Duration LONGEST_CALL =
            CrowdedServer.STORE_TIMEOUT.multipliedBy(2).plusSeconds(2);

    @Test
    void no_call_waits_for_a_connection_longer_than_for_the_store(CrowdedServer server) throws Exception {
        WebArchive application = CrowdedServer.application(NAME, "distributed-fallback.datasource=jdbc/small");
        server.deploy(application);
        try {
            until("it listens", CrowdedServer.PATIENCE, () -> {
                assertThat(server.ask(NAME, "/call/plain").body()).isEqualTo("primary");
                return server.ask(NAME, "/copy").body().equals("LISTENING read up");
            });
            int told = server.liberty.log().length();
            int before = askedByVisitors(server);

            List<CompletableFuture<Reply>> taken = takeConnections(server);
            server.ask(NAME, "/turn/down");
            List<Visit> visits =
                    Visitors.visit(server, NAME, Duration.ofSeconds(6), "plain", "kept", "keyed", "byHand");
            assertThat(visits).allSatisfy(visit -> {
                assertThat(visit.reply().body()).as(visit.kind()).isEqualTo("fallback");
                assertThat(visit.reply().took()).as(visit.kind()).isLessThan(LONGEST_CALL);
            });
            assertThat(visits).as("calls go on").hasSizeGreaterThan(60);
            assertThat(askedByVisitors(server) - before)
                    .as("the instance leaves the provider by its own evidence")
                    .isLessThan(20);
            assertThat(server.state(NAME, "plain")).as("nothing was written").isEmpty();

            assertThat(server.ask(NAME, "/call/limited").took())
                    .as("nor for a permit of the fallback")
                    .isLessThan(LONGEST_CALL);

            giveBack(server, taken);
            all_comes_together(server, told);
            assertThat(takeConnections(server)).as("no connection is lost").hasSize(ALL_BUT_ONE);
            server.ask("app", "/release");
        } finally {
            server.ask("app", "/release");
            server.undeploy(application);
        }
        assertThat(server.connections("small")).isLessThanOrEqualTo(ALL_BUT_ONE + 1);
    }

    private static void all_comes_together(CrowdedServer server, int told) {
        until("the store is back, and has it", CrowdedServer.PATIENCE, () -> {
            assertThat(server.ask(NAME, "/call/plain").body()).isEqualTo("fallback");
            return server.ask(NAME, "/copy").body().endsWith("up")
                    && server.state(NAME, "plain").equals("OPEN");
        });
        eventually(CrowdedServer.PATIENCE, () -> {
            server.ask(NAME, "/turn/up");
            assertThat(server.ask(NAME, "/call/plain").body()).isEqualTo("primary");
            assertThat(server.state(NAME, "plain")).isEqualTo("CLOSED");
        });
        assertThat(server.history(NAME, "plain")).isEqualTo("CLOSED>OPEN,OPEN>CLOSED");
        assertThat(server.liberty.log().substring(told))
                .containsOnlyOnce("this instance keeps its breakers in memory")
                .containsOnlyOnce("DFB308:");
    }

    private static int askedByVisitors(CrowdedServer server) throws Exception {
        return Integer.parseInt(server.ask(NAME, "/asked").body().split(" ", 2)[0]);
    }

    private static List<CompletableFuture<Reply>> takeConnections(CrowdedServer server) {
        List<CompletableFuture<Reply>> taken = new ArrayList<>();
        for (int i = 0; i < ALL_BUT_ONE; i++) {
            taken.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return Http.get(server.uri("app", "/connection"));
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        until(
                "the neighbour has them",
                CrowdedServer.PATIENCE,
                () -> server.ask("app", "/holding").body().equals(Integer.toString(ALL_BUT_ONE)));
        return taken;
    }

    private static void giveBack(CrowdedServer server, List<CompletableFuture<Reply>> taken) throws Exception {
        server.ask("app", "/release");
        for (CompletableFuture<Reply> connection : taken) {
            assertThat(connection.get().body()).isEqualTo("valid");
        }
    }
}
