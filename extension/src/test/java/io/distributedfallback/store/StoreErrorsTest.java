package io.distributedfallback.store;

import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class StoreErrorsTest {

    private final StoreErrors errors = new StoreErrors("jdbc/breakers");

    @ParameterizedTest
    @ValueSource(strings = {"26000", "42P05"})
    void what_was_prepared_on_another_connection_names_the_remedy_for_poolers(String state) {
        SQLException sql = new SQLException("ERROR: prepared statement \"S_1\" is not what it was", state);

        StoreException error = errors.of(new IllegalStateException("wrapped by the provider", sql));

        assertThat(error.code()).isEqualTo(ProblemCode.DFB306);
        assertThat(error).hasMessageContaining("SQLSTATE " + state).hasMessageContaining("prepareThreshold=0");
        assertThat(errors.of(sql)).hasMessage(error.getMessage());
    }

    @Test
    void any_other_error_does_not() {
        assertThat(errors.of(new SQLException("ERROR: could not extend file", "53100")))
                .hasMessageContaining("The cause says more")
                .hasMessageNotContaining("prepareThreshold");
    }
}
