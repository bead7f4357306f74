package io.distributedfallback.core;

import io.distributedfallback.Recovery;
import io.distributedfallback.core.Cluster.Instance;
import jakarta.json.bind.JsonbException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.client.ResponseProcessingException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** Field cases of probes and trials, beside those in {@link RecoveringTest}. */
class ProbeFieldCasesTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @Test
    void under_load_a_provider_that_hangs_has_at_most_one_call_of_ours() throws Exception { // A5
        List<Instance> instances = Stream.generate(cluster::instance).limit(8).toList();
        cluster.open(one);
        int visitors = cluster.provider.visitors;
        int[] inFlight = new int[2];
        cluster.provider.whileAsked = () -> {
            inFlight[1] = Math.max(inFlight[1], ++inFlight[0]);
            // It would hang for 30 s; the interrupt at probe-timeout ends the wait.
            onAnotherThread(() -> {
                for (int second = 0; second < cluster.policy.probeTimeout().toSeconds(); second++) {
                    cluster.time.passSeconds(1);
                    visitAll(instances);
                }
            });
            inFlight[0]--;
            throw new InterruptedException();
        };
        for (int second = 0; second < 60; second++) {
            cluster.time.passSeconds(1);
            visitAll(instances);
        }
        assertThat(inFlight[1]).isEqualTo(1);
        assertThat(cluster.provider.probes).isGreaterThan(1);
        assertThat(cluster.provider.visitors).isEqualTo(visitors);
    }

    private static void visitAll(List<Instance> instances) throws Exception {
        for (Instance instance : instances) {
            assertThat(instance.visit()).isEqualTo("fallback");
        }
    }

    /** What the probe's own thread does is part of the probe. */
    private static void onAnotherThread(Cluster.Incident incident) throws Exception {
        FutureTask<Void> task = new FutureTask<>(() -> {
            incident.happen();
            return null;
        });
        Thread thread = new Thread(task);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        task.get();
        assertThat(Thread.interrupted() || interrupted)
                .as("interrupted by the watchdog")
                .isTrue();
    }

    static Stream<Arguments> failuresThatSayNothingOfTheProvider() throws ReflectiveOperationException {
        return Stream.of(
                arguments(new NotFoundException(), "INCONCLUSIVE CALLER_ERROR HTTP 404"),
                arguments(
                        new ResponseProcessingException(null, new JsonbException("unexpected end of the body")),
                        "INCONCLUSIVE LOCAL ResponseProcessingException"),
                arguments(poolTimeOut(), "INCONCLUSIVE LOCAL ConnectionPoolTimeoutException: no free connection"));
    }

    /** By name: the client comes with RESTEasy and is not used for anything else. */
    static Exception poolTimeOut() throws ReflectiveOperationException {
        return Class.forName("org.apache.http.conn.ConnectionPoolTimeoutException")
                .asSubclass(Exception.class)
                .getConstructor(String.class)
                .newInstance("no free connection");
    }

    @ParameterizedTest
    @MethodSource("failuresThatSayNothingOfTheProvider")
    void a_probe_that_gets_a_404_a_broken_body_or_no_connection_is_inconclusive_and_says_why( // A7
            Exception failure, String said) throws Exception {
        cluster.open(one);
        cluster.provider.failure = failure;
        cluster.passInterval();
        one.visit();
        assertThat(cluster.told).anyMatch(line -> line.startsWith(said));
        assertThat(one.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(one.breaker.status().recovery().untilNextProbe()).contains(cluster.policy.probeInterval());
        recoverWith(other);
    }

    @Test
    void a_trial_that_ends_in_an_exception_of_skip_on_gives_its_lease_back_and_is_no_verdict() throws Exception { // A8
        Instance instance = openWithTrials();
        FailureRules skipping = new FailureRules(
                Cluster.RAWG,
                List.of(Throwable.class),
                List.of(IllegalStateException.class),
                List.of(),
                new BreakerListener() {});
        assertThatThrownBy(() -> instance.<String>call(
                        () -> {
                            throw new IllegalStateException("no such game");
                        },
                        failure -> "fallback",
                        skipping))
                .isInstanceOf(IllegalStateException.class);
        assertNoVerdict(instance);
    }

    static Stream<RuntimeException> rejections() {
        return Stream.of(new BulkheadException("full"), new CircuitBreakerOpenException("inner breaker"));
    }

    @ParameterizedTest
    @MethodSource("rejections")
    void a_trial_rejected_by_an_inner_bulkhead_or_breaker_gives_its_lease_back_and_is_no_verdict( // A9
            RuntimeException rejection) throws Exception {
        Instance instance = openWithTrials();
        assertThat(instance.call(() -> {
                    throw rejection;
                }))
                .isEqualTo("fallback");
        assertNoVerdict(instance);
    }

    private Instance openWithTrials() throws Exception {
        cluster.policy = new PolicyBuilder().recovery(Recovery.TRIAL).build();
        Instance instance = cluster.instance();
        cluster.open(instance);
        cluster.passInterval();
        return instance;
    }

    private void assertNoVerdict(Instance instance) throws Exception {
        assertThat(instance.breaker.status().standing().state()).isEqualTo(OPEN);
        assertThat(instance.breaker.status().recovery().leaseLeft()).isZero();
        assertThat(cluster.told).noneMatch(line -> line.startsWith("FAIL") || line.startsWith("PASS"));
        cluster.provider.up();
        cluster.passInterval();
        Instance next = cluster.instance();
        assertThat(next.visit()).isEqualTo("primary");
        assertThat(next.breaker.status().standing().state()).isEqualTo(CLOSED);
    }

    @Test
    void three_probes_that_fail_by_our_own_fault_name_it_and_leave_the_breaker_recoverable() throws Exception { // A11
        cluster.open(one);
        cluster.provider.failure =
                new SQLIntegrityConstraintViolationException("duplicate key value violates probe_log_pkey", "23505");
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            one.visit();
        }
        assertThat(cluster.told.stream()
                        .filter(line -> line.startsWith("INCONCLUSIVE") && line.contains("probe_log_pkey")))
                .hasSize(3);
        recoverWith(one);
    }

    private void recoverWith(Instance instance) throws Exception {
        cluster.provider.up();
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            assertThat(instance.visit()).isEqualTo("fallback");
        }
        assertThat(instance.visit()).isEqualTo("primary");
    }
}
