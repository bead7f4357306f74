package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Provider.Script;
import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** The database goes away; the application does not. */
@ClusterTest
class DatabaseOutageIT {

    /** A call waits for the store no longer than its time-out, and a loaded machine needs a little more. */
    private static final Duration LONGEST_CALL = Cluster.STORE_TIMEOUT.plusMillis(700);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(45);
    private static final Pattern LOST_OR_BACK = Pattern.compile(" [WI] (DFB30[1-8]): ");

    /** Who has not goes by its own memory, in the next test as well. */
    @AfterEach
    void both_have_the_database_again(Cluster cluster) {
        for (LibertyServer server : cluster.both()) {
            until("a server has the database again", LONGEST_PAUSE, () -> {
                String unused = cluster.ask(server, "stored");
                return LOST_OR_BACK
                        .matcher(server.log())
                        .results()
                        .reduce((first, second) -> second)
                        .filter(last -> last.group(1).equals("DFB308"))
                        .isPresent();
            });
        }
    }

    @Test
    void calls_go_on_while_the_database_is_down_and_its_state_is_back_with_it(Cluster cluster) throws Exception {
        Instant openedAt = an_open_breaker_that_both_know(cluster, "stored");
        try {
            cluster.postgres.stop();
            visit_without_a_database(cluster, "stored");
            an_instance_leaves_a_dead_provider_by_its_own_evidence(cluster);
        } finally {
            cluster.postgres.start();
        }
        the_state_is_back(cluster, "stored", openedAt);
    }

    @Test
    void calls_go_on_while_the_database_hangs_and_its_state_is_back_with_it(Cluster cluster) throws Exception {
        Instant openedAt = an_open_breaker_that_both_know(cluster, "frozen");
        try {
            cluster.postgres.freeze();
            visit_without_a_database(cluster, "frozen");
        } finally {
            cluster.postgres.thaw();
        }
        the_state_is_back(cluster, "frozen", openedAt);
    }

    private static Instant an_open_breaker_that_both_know(Cluster cluster, String breaker) throws Exception {
        cluster.open(breaker);
        cluster.awaitOldCopies(breaker);
        for (LibertyServer server : cluster.both()) {
            eventually(Cluster.PATIENCE, () -> {
                assertThat(cluster.ask(server, breaker)).isEqualTo("fallback");
                assertThat(cluster.status(server, breaker)).startsWith("OPEN FALLBACK");
            });
        }
        return cluster.moment(breaker, "opened_at");
    }

    private static void visit_without_a_database(Cluster cluster, String breaker) throws Exception {
        cluster.provider.forget(breaker);
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() - end < 0) {
            for (LibertyServer server : cluster.both()) {
                answers_in_time(cluster, server, breaker, "fallback");
                answers_in_time(cluster, server, "healthy", "primary");
            }
        }
        assertThat(cluster.provider.visitors(breaker))
                .as("what was open stays open")
                .isZero();
    }

    private static void an_instance_leaves_a_dead_provider_by_its_own_evidence(Cluster cluster) throws Exception {
        cluster.provider.tell("stranded", Script.status(503));
        cluster.provider.forget("stranded");
        for (int i = 0; i < 10; i++) {
            answers_in_time(cluster, cluster.a, "stranded", "fallback");
        }
        assertThat(cluster.provider.visitors("stranded")).isEqualTo(3);
    }

    private static void answers_in_time(Cluster cluster, LibertyServer server, String breaker, String answer)
            throws Exception {
        Reply reply = cluster.call(server, breaker);
        assertThat(reply.body()).isEqualTo(answer);
        assertThat(reply.took()).isLessThan(LONGEST_CALL);
    }

    private static void the_state_is_back(Cluster cluster, String breaker, Instant openedAt) {
        eventually(Cluster.PATIENCE, () -> {
            for (LibertyServer server : cluster.both()) {
                assertThat(cluster.ask(server, breaker)).isEqualTo("fallback");
            }
            assertThat(cluster.moment(breaker, "opened_at")).isEqualTo(openedAt);
        });
        cluster.recover(breaker);
        assertThat(cluster.history(breaker)).isEqualTo(List.of("CLOSED>OPEN", "OPEN>CLOSED"));
    }
}
