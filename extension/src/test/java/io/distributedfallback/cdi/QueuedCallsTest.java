package io.distributedfallback.cdi;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.QueueKey;
import io.distributedfallback.QueueWhenOpen;
import io.distributedfallback.QueuedCall;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueCounts;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.queue.StoredCall;
import io.distributedfallback.store.TestPostgres;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.naming.Context;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code @QueueWhenOpen} from the call to the replay, in Weld, with threads and a PostgreSQL. */
@Tag("storm")
class QueuedCallsTest extends InWeld {

    private static final TestPostgres POSTGRES = TestPostgres.newDatabase();
    private static ManagedScheduledExecutorService threads;

    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(4);

    /** Answers the name of the data source with the database, and each other one with the threads of the test. */
    public static final class Names implements InitialContextFactory {
        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return (Context) Proxy.newProxyInstance(
                    Names.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, arguments) ->
                            arguments != null && arguments[0].equals("jdbc/shop") ? POSTGRES.dataSource() : threads);
        }
    }

    @BeforeEach
    void prepare() {
        POSTGRES.empty();
        threads = (ManagedScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ManagedScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
        settings.putAll(Map.of(
                "distributed-fallback.store", "jpa",
                "distributed-fallback.schema", "create",
                "distributed-fallback.push", "off",
                "distributed-fallback.datasource", "jdbc/shop",
                "distributed-fallback.store.read-timeout", "20s",
                "distributed-fallback.store.write-timeout", "20s",
                "QueueWhenOpen/rate", "1000",
                "QueueWhenOpen/backoff", "10ms"));
        Mails.reset();
    }

    @AfterEach
    void clean() {
        stop();
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        pool.shutdownNow();
    }

    /** What happens to a stored call: a letter. */
    public record Letter(String to, List<Integer> numbers, Optional<String> note, java.time.LocalDate day) {}

    @RequestScoped
    static class Sender {
        String name() {
            return "sender";
        }
    }

    @ApplicationScoped
    static class Mails {
        static final BlockingQueue<String> SENT = new LinkedBlockingQueue<>();
        static final AtomicReference<Exception> DOWN = new AtomicReference<>();

        static void reset() {
            SENT.clear();
            DOWN.set(null);
        }

        @Inject
        QueuedCall queued;

        @Inject
        Sender sender;

        @DistributedFallback(breaker = "mailer", skipOn = IllegalArgumentException.class)
        @QueueWhenOpen(maxAttempts = 2)
        void send(@QueueKey String customer, Letter letter, int copies) throws Exception {
            if (DOWN.get() != null) {
                throw DOWN.get();
            }
            SENT.add(customer + " " + letter + " " + copies + " attempt " + queued.attempt() + " by " + sender.name()
                    + (queued.id().isPresent() ? " replayed" : ""));
        }

        @DistributedFallback(breaker = "mailer")
        @QueueWhenOpen(maxAttempts = 2)
        CompletionStage<Void> post(String text) {
            if (DOWN.get() != null) {
                return CompletableFuture.failedFuture(DOWN.get());
            }
            return CompletableFuture.runAsync(() -> SENT.add(text));
        }

        @DistributedFallback(breaker = "mailer")
        @QueueWhenOpen
        void bulky(String text) throws Exception {
            if (DOWN.get() != null) {
                throw DOWN.get();
            }
            SENT.add("bulky");
        }
    }

    private static final Letter LETTER =
            new Letter("Bob", List.of(1, 2), Optional.of("ps"), java.time.LocalDate.of(2026, 11, 30));

    private void force(boolean open) {
        Breaker breaker = container.select(Breakers.class).get().get("mailer");
        BreakerStatus unused = open ? breaker.forceOpen("test", "a test") : breaker.forceClosed("test", "a test");
    }

    /** So long that no second attempt comes between two steps of a test, however busy the machine is. */
    private void pauseLong() {
        settings.put("QueueWhenOpen/backoff", "1m");
    }

    /** Ends the pause of all stored calls; whoever finds the breaker closed then makes them. */
    private static void endPauses() {
        POSTGRES.execute("UPDATE distributed_queued_call SET next_attempt_at = now()");
    }

    private void awaitWarnings(String code, int number) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (warnings.of(code).size() < number && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(warnings.of(code)).hasSize(number);
    }

    private static String next() throws InterruptedException {
        return Mails.SENT.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void a_call_that_the_breaker_keeps_away_is_stored_and_made_when_it_has_closed() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 3);
        mails.send("anna", LETTER, 4);
        assertThat(POSTGRES.query("SELECT breaker, method, order_key, state FROM distributed_queued_call LIMIT 1"))
                .containsExactly("mailer " + Mails.class.getName() + "#send(java.lang.String,"
                        + Letter.class.getTypeName() + ",int) anna PENDING");
        assertThat(Mails.SENT).isEmpty();
        force(false);
        assertThat(next()).isEqualTo("anna " + LETTER + " 3 attempt 1 by sender replayed");
        assertThat(next()).isEqualTo("anna " + LETTER + " 4 attempt 1 by sender replayed");
        POSTGRES.await("SELECT count(*) = 0 FROM distributed_queued_call");
    }

    @Test
    void a_call_that_fails_while_the_breaker_is_closed_is_stored_as_well() throws Exception {
        pauseLong();
        Mails mails = start(Mails.class, Sender.class);
        Mails.DOWN.set(new IOException("HTTP 503"));
        mails.send("anna", LETTER, 1);
        assertThat(POSTGRES.query("SELECT attempts FROM distributed_queued_call"))
                .containsExactly("0");
        assertThat(failuresOf("mailer")).isEqualTo(1);
        Mails.DOWN.set(null);
        force(true);
        endPauses();
        force(false);
        assertThat(next()).contains("replayed");
    }

    @Test
    void a_stage_is_complete_when_the_call_is_stored() throws Exception {
        pauseLong();
        Mails mails = start(Mails.class, Sender.class);
        Mails.DOWN.set(new IOException("HTTP 503"));
        mails.post("failed").toCompletableFuture().get(20, TimeUnit.SECONDS);
        force(true);
        mails.post("kept away").toCompletableFuture().get(20, TimeUnit.SECONDS);
        assertThat(POSTGRES.query("SELECT arguments FROM distributed_queued_call ORDER BY id"))
                .containsExactly("[\"failed\"]", "[\"kept away\"]");
        Mails.DOWN.set(null);
        endPauses();
        force(false);
        assertThat(List.of(next(), next())).containsExactlyInAnyOrder("failed", "kept away");
    }

    @Test
    void a_call_that_fails_too_often_is_dead() throws Exception {
        settings.put("distributed-fallback.default.failure-threshold", "1000");
        Mails mails = start(Mails.class, Sender.class);
        Mails.DOWN.set(new IOException("HTTP 503"));
        mails.send("anna", LETTER, 1);
        mails.post("text").toCompletableFuture().get(20, TimeUnit.SECONDS);
        POSTGRES.await("SELECT count(*) = 2 FROM distributed_queued_call WHERE state = 'DEAD' AND attempts = 2"
                + " AND last_error = 'IOException: HTTP 503'");
        awaitWarnings("DFB419", 2);
    }

    @Test
    void what_is_the_callers_error_is_dead_at_once() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 1);
        Mails.DOWN.set(new IllegalArgumentException("no such customer"));
        force(false);
        POSTGRES.await("SELECT count(*) = 1 FROM distributed_queued_call WHERE state = 'DEAD' AND attempts = 1");
        assertThatThrownBy(() -> mails.send("anna", LETTER, 1)).hasMessage("no such customer");
        assertThat(POSTGRES.query("SELECT count(*) FROM distributed_queued_call"))
                .containsExactly("1");
    }

    @Test
    void arguments_that_no_longer_fit_make_a_call_dead() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 1);
        POSTGRES.execute("UPDATE distributed_queued_call SET arguments = '[1]'");
        force(false);
        POSTGRES.await("SELECT count(*) = 1 FROM distributed_queued_call WHERE state = 'DEAD'"
                + " AND last_error LIKE 'DFB319%'");
    }

    @Test
    void a_call_that_cannot_be_stored_fails_as_if_there_were_no_queue() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        IOException failure = new IOException("HTTP 503");
        Mails.DOWN.set(failure);
        assertThatThrownBy(() -> mails.bulky("x".repeat(70_000)))
                .isSameAs(failure)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).hasMessageContaining("DFB320"));
        force(true);
        POSTGRES.execute("DROP TABLE distributed_queued_call");
        assertThatThrownBy(() -> mails.send("anna", LETTER, 1))
                .isInstanceOf(BreakerOpenException.class)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).hasMessageContaining("DFB303"));
    }

    @Test
    void calls_of_an_instance_that_has_ended_are_made_by_the_next_one() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 1);
        stop();
        POSTGRES.execute("DELETE FROM distributed_breaker");
        start(Mails.class, Sender.class);
        assertThat(next()).contains("attempt 1").contains("replayed");
    }

    @Test
    void calls_of_a_method_that_is_gone_stay_and_are_told_of_once() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 1);
        stop();
        POSTGRES.execute("DELETE FROM distributed_breaker; UPDATE distributed_queued_call SET method = 'Old#send()'");
        start(Mails.class, Sender.class);
        awaitWarnings("DFB420", 1);
        assertThat(POSTGRES.query("SELECT method, state FROM distributed_queued_call"))
                .containsExactly("Old#send() PENDING");
    }

    @Test
    void an_operator_has_dead_calls_made_again() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        force(true);
        mails.send("anna", LETTER, 1);
        mails.send("bert", LETTER, 2);
        POSTGRES.execute("UPDATE distributed_queued_call SET state = 'DEAD', attempts = 2,"
                + " stored_at = now() - INTERVAL '1 year'");
        force(false);
        QueueRoom room = container.select(QueueRoom.class).get();
        QueueCounts counts = room.counts().stream()
                .filter(each -> each.dead() == 2)
                .findFirst()
                .orElseThrow();
        List<StoredCall> dead =
                room.calls(new CallQuery(Optional.of("mailer"), Optional.of(true), OptionalLong.empty(), 10));
        assertThat(dead).extracting(StoredCall::id).containsExactly(2L, 1L);
        assertThat(room.carryOut(new QueueCommand(
                        QueueCommand.Action.DISCARD, counts.queue(), OptionalLong.of(2), "otto", "wrong address")))
                .isEqualTo(1);
        assertThat(room.carryOut(new QueueCommand(
                        QueueCommand.Action.RETRY, counts.queue(), OptionalLong.empty(), "otto", "mended")))
                .isEqualTo(1);
        assertThat(next()).contains("anna").contains("attempt 1");
        assertThat(POSTGRES.query(
                        "SELECT action, calls, commanded_by, reason FROM distributed_queue_command ORDER BY id"))
                .containsExactly("DISCARD {2} otto wrong address", "RETRY {1} otto mended");
        POSTGRES.await("SELECT count(*) = 0 FROM distributed_queued_call");
    }

    @Test
    void what_was_cancelled_or_is_an_error_in_wrappers_is_no_callers_error() throws Exception {
        settings.put("distributed-fallback.default.failure-threshold", "1000");
        Mails mails = start(Mails.class, Sender.class);
        for (Exception failure : List.of(
                new CancellationException("cut"),
                new IllegalStateException(new InterruptedException("cut")),
                new CompletionException(new AssertionError("no class")))) {
            Mails.DOWN.set(failure);
            force(true);
            mails.send("anna", LETTER, 1);
            force(false);
            POSTGRES.await("SELECT count(*) = 1 FROM distributed_queued_call WHERE state = 'DEAD'");
            assertThat(POSTGRES.query("SELECT attempts FROM distributed_queued_call"))
                    .containsExactly("2");
            POSTGRES.execute("DELETE FROM distributed_queued_call");
        }
    }

    @Test
    void a_stored_call_is_the_trial_of_a_breaker_without_a_probe_if_nobody_else_calls() throws Exception {
        settings.put("distributed-fallback.default.recovery", "trial");
        settings.put("distributed-fallback.default.failure-threshold", "1");
        settings.put("distributed-fallback.default.probe-successes", "1");
        settings.put("distributed-fallback.default.probe-interval", "100ms");
        settings.put("QueueWhenOpen/backoff", "500ms");
        Mails mails = start(Mails.class, Sender.class);
        Mails.DOWN.set(new IOException("HTTP 503"));
        mails.send("anna", LETTER, 1);
        assertThat(container.select(Breakers.class).get().get("mailer").isOpen())
                .isTrue();
        Mails.DOWN.set(null);
        assertThat(next()).contains("replayed");
        POSTGRES.await("SELECT state = 'CLOSED' FROM distributed_breaker");
    }

    @Test
    void what_the_growing_share_keeps_away_is_put_back_and_no_attempt() throws Exception {
        start(Mails.class, Sender.class);
        force(false);
        stop();
        POSTGRES.execute(
                "UPDATE distributed_breaker SET override_mode = NULL, override_by = NULL, override_reason = NULL,"
                        + " ramp_up_from = now(), ramp_up_until = now() + INTERVAL '1000 years'");
        Mails mails = start(Mails.class, Sender.class);
        Breaker breaker = container.select(Breakers.class).get().get("mailer");
        while (breaker.status().recovery().rampUp().isEmpty()) {
            Thread.onSpinWait();
        }
        mails.send("anna", LETTER, 1);
        POSTGRES.execute("UPDATE distributed_queued_call SET state = 'DEAD'");
        QueueRoom room = container.select(QueueRoom.class).get();
        QueueCommand retry = new QueueCommand(
                QueueCommand.Action.RETRY,
                room.calls(new CallQuery(Optional.empty(), Optional.empty(), OptionalLong.empty(), 1))
                        .get(0)
                        .queue(),
                OptionalLong.empty(),
                "otto",
                "to have it looked at now");
        assertThat(room.carryOut(retry)).isEqualTo(1);
        POSTGRES.await("SELECT next_attempt_at > retried_at + INTERVAL '4 s' FROM distributed_queued_call");
        assertThat(POSTGRES.query("SELECT state, attempts, last_error FROM distributed_queued_call"))
                .containsExactly("PENDING 0 null");
    }

    @Test
    void tables_that_are_missing_take_down_no_breaker_and_are_told_of_once() throws Exception {
        start(Mails.class, Sender.class);
        force(false);
        stop();
        POSTGRES.execute("DROP TABLE distributed_queued_call, distributed_call_queue, distributed_queue_command;"
                + " DELETE FROM distributed_breaker");
        settings.put("distributed-fallback.schema", "validate");
        Mails mails = start(Mails.class, Sender.class);
        Mails.DOWN.set(new IOException("HTTP 503"));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> mails.send("anna", LETTER, 1))
                    .hasMessage("HTTP 503")
                    .satisfies(thrown -> assertThat(thrown.getSuppressed()[0]).hasMessageContaining("V6__call_queue"));
        }
        assertThat(POSTGRES.query("SELECT consecutive_failures FROM distributed_breaker"))
                .containsExactly("3");
        // One may still come of the application before, whose worker has not noticed its end.
        assertThat(warnings.of("DFB303")).hasSizeLessThan(3);
    }

    @Test
    void nobody_is_told_of_a_queue_when_the_primary_answers() throws Exception {
        Mails mails = start(Mails.class, Sender.class);
        container.select(RequestContextController.class).get().activate();
        mails.send("anna", LETTER, 1);
        assertThat(next()).isEqualTo("anna " + LETTER + " 1 attempt 0 by sender");
        assertThat(POSTGRES.query("SELECT count(*) FROM distributed_queued_call"))
                .containsExactly("0");
    }
}
