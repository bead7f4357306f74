package io.distributedfallback.store;

import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.RetryAfter;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.limit.PermitStore;
import io.distributedfallback.limit.PermitStore.Block;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bucket in PostgreSQL, with a clock that the test moves. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermitStoreTest {

    private static final LimitSettings IGDB = new LimitSettings("igdb", 100, Scope.CLUSTER, 20, 0, Duration.ZERO);
    private static final long MILLI = 1_000_000;

    private final TestPostgres postgres = TestPostgres.newDatabase();
    private SteppedClock clock;
    private TestPool pool;
    private JpaBreakerStore store;

    @BeforeAll
    void start() throws SQLException {
        clock = new SteppedClock(postgres.dataSource());
        pool = new TestPool(postgres.dataSource(), SteppedClock.USE);
        new Definitions(postgres).runAll();
    }

    @AfterAll
    void stop() throws SQLException {
        pool.close();
        clock.close();
    }

    @BeforeEach
    void forget() {
        postgres.execute("TRUNCATE distributed_fallback_permit");
    }

    @AfterEach
    void close() {
        store.close();
    }

    private PermitStore permits(Provider provider) {
        store = provider.store(pool, SchemaMode.VALIDATE, "shop.", "one");
        return store.permits();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void the_bucket_is_full_at_first_and_fills_by_the_databases_time(Provider provider) {
        PermitStore permits = permits(provider);
        assertThat(permits.take(IGDB, 5)).isEqualTo(new Block(5, 0, 0));
        assertThat(permits.take(IGDB, 50)).isEqualTo(new Block(15, 10 * MILLI, 0));
        assertThat(permits.take(IGDB, 50)).isEqualTo(new Block(0, 10 * MILLI, 0));
        clock.advance(Duration.ofMillis(35));
        assertThat(permits.take(IGDB, 50)).isEqualTo(new Block(3, 5 * MILLI, 0));
        clock.advance(Duration.ofMillis(5));
        assertThat(permits.take(IGDB, 1)).as("half a permit was left").isEqualTo(new Block(1, 10 * MILLI, 0));
        clock.advance(Duration.ofHours(1));
        assertThat(permits.take(IGDB, 50).permits()).isEqualTo(20);
        assertThat(postgres.query("SELECT name FROM distributed_fallback_permit"))
                .containsExactly("shop.igdb");
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void a_pause_gives_nothing_to_anybody_and_is_only_ever_extended(Provider provider) {
        PermitStore permits = permits(provider);
        permits.pause(IGDB, new RetryAfter.In(Duration.ofSeconds(10)), Duration.ofHours(1));
        permits.pause(IGDB, new RetryAfter.In(Duration.ofSeconds(5)), Duration.ofHours(1));
        assertThat(permits.take(IGDB, 5)).isEqualTo(new Block(0, 0, 10_000 * MILLI));
        permits.pause(IGDB, new RetryAfter.At(clock.now().plusSeconds(30)), Duration.ofHours(1));
        permits.pause(IGDB, new RetryAfter.At(clock.now().minusSeconds(30)), Duration.ofHours(1));
        assertThat(permits.take(IGDB, 5).pauseLeft()).isEqualTo(30_000 * MILLI);
        permits.pause(IGDB, new RetryAfter.In(Duration.ofDays(1)), Duration.ofHours(1));
        assertThat(permits.take(IGDB, 5).pauseLeft()).isEqualTo(3_600_000 * MILLI);
        clock.advance(Duration.ofHours(1));
        assertThat(permits.take(IGDB, 5)).isEqualTo(new Block(5, 0, 0));
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void the_rights_that_the_guide_names_are_enough_and_needed(Provider provider) {
        String role = "limiter_" + provider.name().toLowerCase(Locale.ROOT);
        postgres.execute("CREATE ROLE " + role + " LOGIN; GRANT SELECT, INSERT, UPDATE ON distributed_breaker TO "
                + role + "; GRANT SELECT, INSERT ON distributed_breaker_transition TO " + role);
        store = provider.store(postgres.login(role), SchemaMode.VALIDATE, "", "one");
        PermitStore permits = store.permits();
        assertThatThrownBy(() -> permits.take(IGDB, 5))
                .hasMessageContaining("DFB304")
                .hasMessageContaining("SELECT, INSERT, UPDATE ON distributed_fallback_permit");
        postgres.execute("GRANT SELECT, INSERT, UPDATE ON distributed_fallback_permit TO " + role);
        assertThat(permits.take(IGDB, 5).permits()).isEqualTo(5);
        permits.pause(IGDB, new RetryAfter.In(Duration.ofSeconds(10)), Duration.ofHours(1));
        assertThat(permits.take(IGDB, 5).permits()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void without_its_table_breakers_work_and_permits_say_what_is_missing(Provider provider) {
        PermitStore permits = permits(provider);
        postgres.execute("ALTER TABLE distributed_fallback_permit RENAME TO away");
        try {
            assertThat(store.readAll()).isEmpty();
            assertThatThrownBy(() -> permits.take(IGDB, 5))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("DFB303")
                    .hasMessageContaining("V5__fallback_permits.sql");
        } finally {
            postgres.execute("ALTER TABLE away RENAME TO distributed_fallback_permit");
        }
    }
}
