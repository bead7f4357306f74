package io.distributedfallback.store;

import io.distributedfallback.core.ChangeFeed;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** Hearing of changes by {@code LISTEN}, on a real PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("storm")
class NotifyFeedTest {

    private static final String LISTENERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND query LIKE '%LISTEN %' AND pid <> pg_backend_pid()";

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final AtomicLong ahead = new AtomicLong();
    private RealThreads threads = new RealThreads();
    private TestPool pool = new TestPool(postgres.dataSource(), "");
    private ChangeFeed feed;

    /** What a feed tells, and how it ends. */
    private static final class Heard implements ChangeFeed.Ears {
        private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        @Override
        public void listening() {
            news.add("listening");
        }

        @Override
        public void changed() {
            news.add("changed");
        }

        String next() throws InterruptedException {
            return news.poll(20, TimeUnit.SECONDS);
        }

        ProblemCode failure() throws Exception {
            try {
                end.get(20, TimeUnit.SECONDS);
                return null;
            } catch (ExecutionException e) {
                return ((StoreException) e.getCause()).code();
            }
        }
    }

    /** Other tests keep the machine busy: a second connection may be long in coming. */
    private Heard listen(DataSource dataSource, String prefix) {
        return listen(dataSource, prefix, 20_000);
    }

    private Heard listen(DataSource dataSource, String prefix, long longestWait) {
        feed = new NotifyFeed(
                new JpaStoreSettings(
                        () -> dataSource, "jdbc/breakers", SchemaMode.NONE, prefix, "one", Duration.ofSeconds(1)),
                threads,
                () -> System.nanoTime() + ahead.get(),
                longestWait);
        return listen();
    }

    private Heard listen() {
        Heard heard = new Heard();
        threads.run(() -> {
            try {
                feed.listen(heard);
                heard.end.complete(null);
            } catch (RuntimeException | Error e) {
                heard.end.completeExceptionally(e);
            }
        });
        return heard;
    }

    @AfterEach
    void stop() throws SQLException {
        feed.close();
        threads.close();
        pool.close();
        threads = new RealThreads();
        pool = new TestPool(postgres.dataSource(), "");
        ahead.set(0);
        postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND pid <> pg_backend_pid()");
        postgres.await("SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database()");
    }

    private void notify(String breaker) {
        postgres.execute("SELECT pg_notify('distributed_breaker', '" + breaker + "')");
    }

    @Test
    void a_change_is_heard_of() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        notify("rawg");
        assertThat(heard.next()).isEqualTo("changed");
    }

    @Test
    void those_of_other_applications_are_not() throws Exception {
        Heard heard = listen(pool, "shop:");
        assertThat(heard.next()).isEqualTo("listening");
        notify("rawg");
        notify("games:rawg");
        postgres.execute("SELECT pg_notify('distributed_breaker_other', 'shop:rawg')");
        notify("shop:rawg");
        assertThat(heard.next()).isEqualTo("changed");
        notify("shop:igdb");
        assertThat(heard.next()).isEqualTo("changed");
        assertThat(heard.news).isEmpty();
    }

    @Test
    void a_connection_without_autocommit_hears_as_well_and_is_handed_back_as_it_was() throws Exception {
        DataSource source = ListeningPools.withoutAutoCommit(pool);
        Heard heard = listen(source, "");
        assertThat(heard.next()).isEqualTo("listening");
        notify("rawg");
        assertThat(heard.next()).isEqualTo("changed");
    }

    @Test
    void many_changes_at_once_are_heard_of_as_few() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        postgres.execute(
                "SELECT pg_notify('distributed_breaker', 'breaker ' || i) FROM generate_series(1, 10000) AS i");
        notify("last");
        assertThat(heard.next()).isEqualTo("changed");
        feed.close();
        heard.end.get(20, TimeUnit.SECONDS);
        assertThat(heard.news).hasSizeLessThan(5_000);
    }

    @Test
    void a_connection_that_has_been_pooled_again_listens_to_nothing() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        notify("rawg");
        feed.close();
        heard.end.get(20, TimeUnit.SECONDS);
        assertThat(pool.idle()).isEqualTo(2);
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            for (Connection connection : new Connection[] {first, second}) {
                try (Statement statement = connection.createStatement();
                        var channels = statement.executeQuery("SELECT pg_listening_channels()")) {
                    assertThat(channels.next()).isFalse();
                }
                DriverNotices notices = DriverNotices.of(connection).orElseThrow();
                notify("rawg");
                assertThat(notices.await(50)).isEmpty();
            }
        }
    }

    @Test
    void one_that_cannot_be_told_to_listen_no_more_is_destroyed_instead() throws Exception {
        Heard heard = listen(ListeningPools.thatCannotForget(pool), "");
        assertThat(heard.next()).isEqualTo("listening");
        feed.close();
        heard.end.get(20, TimeUnit.SECONDS);
        assertThat(pool.idle()).isEqualTo(1);
        postgres.await("SELECT count(*) = 2 FROM pg_stat_activity WHERE datname = current_database()");
    }

    @Test
    void a_terminated_session_is_lost_and_can_be_taken_up_again() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        postgres.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                + " AND query = 'LISTEN distributed_breaker'");
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB302);
        Heard again = listen();
        assertThat(again.next()).isEqualTo("listening");
        notify("rawg");
        assertThat(again.next()).isEqualTo("changed");
    }

    @Test
    void a_connection_that_has_gone_without_a_word_is_found_out() throws Exception {
        Heard heard = listen(ListeningPools.thatWentSilent(pool), "");
        assertThat(heard.next()).isEqualTo("listening");
        ahead.addAndGet(Duration.ofSeconds(31).toNanos());
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB302);
        assertThat(pool.idle()).isEqualTo(1);
    }

    @Test
    void one_that_is_only_quiet_is_kept() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        ahead.addAndGet(Duration.ofSeconds(31).toNanos());
        postgres.await("SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = current_database()"
                + " AND query = 'LISTEN distributed_breaker'"); // the check was the last statement
        notify("rawg");
        assertThat(heard.next()).isEqualTo("changed");
    }

    @Test
    void stopping_gives_the_thread_back_at_once() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        feed.close();
        assertThat(threads.stop()).isLessThan(Duration.ofSeconds(1));
        assertThat(heard.failure()).isNull();
        assertThat(pool.idle()).isEqualTo(2);
    }

    @Test
    void stopping_before_it_has_begun_opens_nothing() throws Exception {
        Heard heard = listen(pool, "");
        assertThat(heard.next()).isEqualTo("listening");
        feed.close();
        heard.end.get(20, TimeUnit.SECONDS);
        pool.close();
        Heard late = listen();
        assertThat(late.failure()).isNull();
        assertThat(late.news).isEmpty();
        assertThat(pool.idle()).isZero();
    }

    @Test
    void a_driver_that_cannot_be_seen_cannot_listen() throws Exception {
        Heard heard = listen(ListeningPools.ofAnUnknownDriver(pool), "");
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB313);
        assertThat(pool.idle()).isEqualTo(1);
    }

    @Test
    void behind_a_pooler_by_transaction_it_cannot_listen_and_leaves_nobody_who_listens_to_changes() throws Exception {
        Heard heard = listen(ListeningPools.pooledByTransaction(pool), "");
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB313);
        assertThat(heard.news).isEmpty();
        assertThat(postgres.query(LISTENERS + " AND query LIKE '%LISTEN distributed_breaker'"))
                .containsExactly("0");
    }

    @Test
    void with_a_pool_of_one_connection_it_gives_that_back_soon_and_gives_up_the_third_time() throws Exception {
        DataSource one = ListeningPools.ofOne(pool, 30);
        List<ProblemCode> failures = new ArrayList<>();
        Heard heard = listen(one, "", NotifyFeed.LONGEST_WAIT);
        for (int i = 1; i <= 3; i++) {
            failures.add(heard.failure());
            one.getConnection().close(); // there it is again
            heard = listen();
        }
        assertThat(failures).containsExactly(ProblemCode.DFB302, ProblemCode.DFB302, ProblemCode.DFB313);
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB313);
    }

    @Test
    void with_one_thread_it_gives_that_back_soon() throws Exception {
        threads.close();
        threads = new RealThreads(Executors.newSingleThreadExecutor());
        Heard heard = listen(pool, "", NotifyFeed.LONGEST_WAIT);
        assertThat(heard.failure()).isEqualTo(ProblemCode.DFB302);
    }

    @Test
    void a_database_that_is_away_is_lost_and_not_hopeless() throws Exception {
        Heard heard = listen(postgres.login("nobody_of_that_name"), "");
        assertThat(heard.failure()).isNotEqualTo(ProblemCode.DFB313).isNotNull();
    }
}
