package io.distributedfallback.store;

import io.distributedfallback.core.BreakerStore;
import io.distributedfallback.core.BreakerStoreContractTest;
import io.distributedfallback.core.SchemaMode;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/** The contract on PostgreSQL, in a session whose zone is neither UTC nor the JVM's. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JpaContractTest extends BreakerStoreContractTest {

    private static final String ZONE = "Asia/Kathmandu";

    private final Provider provider;
    private final TestPostgres postgres = TestPostgres.newDatabase();
    private final TimeZone zoneBefore = TimeZone.getDefault();
    private SteppedClock clock;
    private TestPool pool;
    private final Map<String, JpaBreakerStore> stores = new HashMap<>();

    JpaContractTest(Provider provider) {
        this.provider = provider;
    }

    @BeforeAll
    void start() throws SQLException {
        TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
        clock = new SteppedClock(postgres.dataSource());
        pool = new TestPool(postgres.dataSource(), SteppedClock.USE + "; SET TimeZone = '" + ZONE + "'");
        store().readAll();
    }

    @AfterAll
    void stop() throws SQLException {
        stores.values().forEach(JpaBreakerStore::close);
        pool.close();
        clock.close();
        TimeZone.setDefault(zoneBefore);
    }

    @BeforeEach
    void forget() {
        postgres.execute("TRUNCATE distributed_breaker, distributed_breaker_transition");
    }

    @Override
    protected BreakerStore store() {
        return storeOf(INSTANCE);
    }

    @Override
    protected BreakerStore storeOf(String instance) {
        return stores.computeIfAbsent(instance, id -> provider.store(pool, SchemaMode.CREATE, "", id));
    }

    @Override
    protected void pass(Duration time) {
        clock.advance(time);
    }

    @Override
    protected Instant now() {
        return clock.now();
    }

    @Test
    void the_session_lives_in_another_zone_than_the_jvm() throws SQLException {
        try (var connection = pool.getConnection();
                var statement = connection.createStatement();
                var result = statement.executeQuery("SHOW TimeZone")) {
            result.next();
            assertThat(result.getString(1))
                    .isEqualTo(ZONE)
                    .isNotEqualTo(TimeZone.getDefault().getID());
        }
    }
}
