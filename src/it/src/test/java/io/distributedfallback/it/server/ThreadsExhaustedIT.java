package io.distributedfallback.it.server;

import io.distributedfallback.it.server.Visitors.Visit;
import java.time.Duration;
import java.util.List;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** The application's own tasks take all threads of the executor, and its queue is full. */
@ServerTest
class ThreadsExhaustedIT {

    private static final String NAME = "threads";

    private static final Duration LONGEST_CALL =
            CrowdedServer.STORE_TIMEOUT.multipliedBy(2).plusSeconds(2);

    /** Two of the longest pauses, and some. */
    private static final Duration BACK = Duration.ofSeconds(100);

    @Test
    void a_full_executor_delays_no_call_and_fails_none(CrowdedServer server) throws Exception {
        WebArchive application = CrowdedServer.application(
                NAME, "distributed-fallback.executor=concurrent/small", "distributed-fallback.push=off");
        server.deploy(application);
        try {
            until("it has read", CrowdedServer.PATIENCE, () -> {
                assertThat(server.ask(NAME, "/call/plain").body()).isEqualTo("primary");
                return server.ask(NAME, "/copy").body().endsWith("read up");
            });
            int told = server.liberty.log().length();
            int before = Integer.parseInt(server.ask(NAME, "/asked").body().split(" ", 2)[0]);

            take_all_threads(server);
            server.ask(NAME, "/turn/down");
            List<Visit> visits =
                    Visitors.visit(server, NAME, Duration.ofSeconds(6), "plain", "kept", "keyed", "byHand");
            assertThat(visits).allSatisfy(visit -> {
                assertThat(visit.reply().body()).as(visit.kind()).isEqualTo("fallback");
                assertThat(visit.reply().took()).as(visit.kind()).isLessThan(LONGEST_CALL);
            });
            assertThat(visits).as("calls go on").hasSizeGreaterThan(60);
            String[] asked = server.ask(NAME, "/asked").body().split(" ", 2);
            assertThat(Integer.parseInt(asked[0]) - before)
                    .as("three failures of each of four breakers")
                    .isEqualTo(12);
            assertThat(asked[1]).as("no probe without a thread").isEqualTo("0");
            assertThat(server.state(NAME, "plain")).as("nothing was written").isEmpty();

            server.ask("app", "/release");
            all_comes_together(server, told);
        } finally {
            server.ask("app", "/release");
            server.undeploy(application);
        }
    }

    /** Two run, the queue is full, and no more are taken. */
    private static void take_all_threads(CrowdedServer server) {
        until("no task is taken any more", CrowdedServer.PATIENCE, () -> {
            String taken = server.ask("app", "/threads?count=10").body();
            return taken.equals("0") && server.ask("app", "/holding").body().equals("2");
        });
    }

    /**
     * Four breakers hand over at once, and an executor of two threads may refuse one of them: then the store is lost once
     * more, and left alone for longer.
     */
    private static void all_comes_together(CrowdedServer server, int told) {
        until("the store is back, and has it", BACK, () -> {
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
                .contains("this instance keeps its breakers in memory")
                .contains("DFB308:");
    }
}
