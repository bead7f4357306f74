package io.distributedfallback.store;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Evidence;
import io.distributedfallback.core.Failures;
import io.distributedfallback.core.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** An instance stands still between a write and its commit, and the row stays locked meanwhile. */
class StandstillTest {

    private static final Evidence FAILURE = Evidence.of(Failures.one(FailureKind.OUTAGE, "HTTP 503"));

    private final TestPostgres postgres = TestPostgres.newDatabase();

    @Test
    void the_limit_that_the_guide_recommends_for_the_role_frees_the_row_for_the_others() throws SQLException {
        try (JpaBreakerStore other = Provider.HIBERNATE.store(postgres.dataSource())) {
            other.record("rawg", FAILURE, Policy.DEFAULT);
            postgres.execute(
                    "DROP ROLE IF EXISTS still; CREATE ROLE still LOGIN; GRANT SELECT, UPDATE ON"
                            + " distributed_breaker TO still; ALTER ROLE still SET idle_in_transaction_session_timeout = '300ms'");
            try (Connection still = postgres.login("still").getConnection();
                    Statement statement = still.createStatement()) {
                still.setAutoCommit(false);
                assertThat(statement.executeUpdate("UPDATE distributed_breaker SET consecutive_failures = 100"))
                        .isEqualTo(1);

                int counted = other.record("rawg", FAILURE, Policy.DEFAULT)
                        .orElseThrow()
                        .row()
                        .standing()
                        .consecutiveFailures();

                assertThat(counted).isEqualTo(2);
                assertThatThrownBy(still::commit).isInstanceOf(SQLException.class);
            }
        }
    }
}
