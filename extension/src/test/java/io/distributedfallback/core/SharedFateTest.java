package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A breaker around the very database that holds its state. */
class SharedFateTest {

    private static final String REFUSED = "Connection to %s refused. Check that the hostname and port are correct.";

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();

    private static SQLException refused(String address) {
        return new SQLException(REFUSED.formatted(address), "08001");
    }

    private long warnings() {
        return cluster.told.stream()
                .filter(line -> line.contains("guards its store"))
                .count();
    }

    @Test
    void is_told_of_once() throws Exception {
        one.visit();
        cluster.store.goAwayWith(refused("db.example:5432"));
        cluster.open(one);
        cluster.provider.failure = new IllegalStateException("no orders", refused("db.example:5432"));
        Instance fresh = cluster.instance();
        fresh.visit();
        fresh.visit();
        fresh.visit();
        assertThat(cluster.told).containsOnlyOnce("rawg guards its store: SQLSTATE 08001 of db.example:5432");
    }

    @Test
    void is_told_of_if_its_own_call_notices_first() throws Exception {
        one.visit();
        cluster.provider.failure = refused("db.example:5432");
        cluster.store.goAwayWith(refused("db.example:5432"));
        one.visit();
        assertThat(warnings()).isEqualTo(1);
    }

    @Test
    void is_told_of_by_its_probes_at_the_latest() throws Exception {
        one.visit();
        cluster.store.goAwayWith(new SQLException("This connection has been closed.", "08003"));
        cluster.open(one);
        assertThat(warnings()).isZero();
        cluster.store.goAwayWith(refused("db.example:5432"));
        cluster.provider.failure = refused("db.example:5432");
        cluster.time.passSeconds(2);
        one.visit();
        cluster.passInterval();
        one.visit();
        assertThat(warnings()).isEqualTo(1);
    }

    @Test
    void opens_by_the_stand_in_and_closes_when_the_database_is_back() throws Exception {
        one.visit();
        cluster.store.goAwayWith(refused("db.example:5432"));
        cluster.provider.failure = refused("db.example:5432");
        for (int i = 0; i < 3; i++) {
            assertThat(one.visit()).isEqualTo("fallback");
        }
        int before = cluster.provider.visitors;
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(cluster.provider.visitors).isEqualTo(before);
        cluster.store.comeBack();
        cluster.provider.up();
        for (int i = 0; i < 4; i++) {
            cluster.passInterval();
            one.visit();
        }
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(cluster.store.readAll()).noneMatch(BreakerRow::isOpen);
    }

    @ParameterizedTest
    @CsvSource({
        "08001, Connection to db.example:5432 refused., 08001, Connection to other.example:5432 refused.",
        "08001, Connection to db.example:5432 refused., 08001, Connection to db.example:5433 refused.",
        "08006, An I/O error occurred while sending to the backend., 08006, An I/O error occurred while sending to the backend.",
        "08001, The connection attempt failed at 12:30:05, 08001, The connection attempt failed at 12:30:05",
        "57P01, terminating connection due to administrator command, 08006, An I/O error occurred.",
        "53300, too many clients at db.example:5432, 53300, too many clients at db.example:5432",
    })
    void is_not_seen_where_another_database_may_be_meant(String state, String text, String calls, String callText)
            throws Exception {
        one.visit();
        cluster.store.goAwayWith(new SQLException(text, state));
        cluster.provider.failure = new SQLException(callText, calls);
        one.visit();
        one.visit();
        assertThat(warnings()).isZero();
    }

    @Test
    void is_not_seen_where_the_store_was_lost_long_after_the_call() throws Exception {
        one.visit();
        cluster.provider.failure = refused("db.example:5432");
        one.visit();
        cluster.provider.up();
        cluster.time.passSeconds(3);
        cluster.store.goAwayWith(refused("db.example:5432"));
        one.visit();
        assertThat(cluster.told).contains("lost DFB302");
        assertThat(warnings()).isZero();
    }

    @Test
    void is_seen_by_the_word_of_a_server_that_shuts_down() throws Exception {
        one.visit();
        cluster.store.goAwayWith(new SQLException("terminating connection due to administrator command", "57P01"));
        cluster.provider.failure = new SQLException("FATAL: terminating connection", "57P01");
        one.visit();
        assertThat(warnings()).isEqualTo(1);
    }
}
