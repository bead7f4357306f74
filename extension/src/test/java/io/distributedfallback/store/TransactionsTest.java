package io.distributedfallback.store;

import jakarta.persistence.EntityManager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** One piece of work is one transaction, whatever the statements look like. */
class TransactionsTest {

    private static final TestPostgres POSTGRES = TestPostgres.newDatabase();

    /** EclipseLink may take a write that answers with rows for a read, and run it beside the transaction. */
    @ParameterizedTest
    @EnumSource(Provider.class)
    void statements_that_answer_with_rows_run_in_the_transaction(Provider provider) {
        Transactions transactions = transactions(provider);

        List<Object> ids = transactions.run(entities -> List.of(id(entities), id(entities)));

        assertThat(ids.get(0)).isEqualTo(ids.get(1));
        assertThat(transactions.<Object>run(TransactionsTest::id)).isNotEqualTo(ids.get(0));
        transactions.close();
    }

    @ParameterizedTest
    @EnumSource(Provider.class)
    void what_a_failed_piece_of_work_wrote_is_taken_back(Provider provider) {
        POSTGRES.execute("DROP TABLE IF EXISTS written; CREATE TABLE written (id integer)");
        Transactions transactions = transactions(provider);

        assertThatThrownBy(() -> transactions.run(entities -> {
                    entities.createNativeQuery(
                                    "WITH w AS (INSERT INTO written VALUES (1) RETURNING id) SELECT id FROM w")
                            .getResultList();
                    throw new IllegalStateException("second thoughts");
                }))
                .hasMessage("second thoughts");

        assertThat(POSTGRES.query("SELECT id FROM written")).isEmpty();
        transactions.close();
    }

    private static Object id(EntityManager entities) {
        return entities.createNativeQuery("SELECT CAST(pg_current_xact_id() AS text)")
                .getSingleResult();
    }

    private static Transactions transactions(Provider provider) {
        return new Transactions(provider.factory(BreakerUnit.on(POSTGRES.dataSource())), Duration.ofSeconds(20));
    }
}
