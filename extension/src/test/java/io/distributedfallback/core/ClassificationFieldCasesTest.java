package io.distributedfallback.core;

import io.distributedfallback.FailureKind;
import io.distributedfallback.core.Cluster.Instance;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.InternalServerErrorException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.net.MalformedURLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distributedfallback.BreakerState.CLOSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Field cases of counting and classification, with real exceptions through the whole engine. */
class ClassificationFieldCasesTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();

    @Test
    void a_400_between_two_500s_neither_breaks_the_series_nor_counts() throws Exception { // D1
        cluster.provider.failure = new InternalServerErrorException();
        one.visit();
        cluster.provider.failure = new BadRequestException();
        assertThatThrownBy(one::visit).isInstanceOf(BadRequestException.class);
        assertThat(one.failures()).isEqualTo(1);
        cluster.provider.failure = new InternalServerErrorException();
        one.visit();
        assertThat(one.failures()).isEqualTo(2);
    }

    static Stream<Exception> ourOwnTroubles() throws ReflectiveOperationException {
        return Stream.of(
                new ProcessingException(new MalformedURLException("no protocol: api")),
                ProbeFieldCasesTest.poolTimeOut(),
                new BulkheadException("full"));
    }

    @ParameterizedTest
    @MethodSource("ourOwnTroubles")
    void a_malformed_url_an_exhausted_pool_or_a_full_bulkhead_is_not_the_providers_fault(Exception trouble) // D3
            throws Exception {
        cluster.provider.failure = trouble;
        for (int i = 0; i < 10; i++) {
            assertThat(one.visit()).isEqualTo("fallback");
        }
        assertThat(one.breaker.status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void a_success_of_another_instance_leaves_the_pause_that_the_provider_asked_for() throws Exception { // D6
        cluster.provider.down();
        other.visit(); // so that its success has something to reset
        cluster.provider.failure = new WebApplicationException(
                Response.status(429).header("Retry-After", "120").build());
        assertThat(one.visit()).isEqualTo("fallback");
        cluster.provider.up();
        assertThat(other.visit()).as("its copy does not know yet").isEqualTo("primary");
        assertThat(other.failures()).isZero();
        assertThat(other.breaker.status().holds().cooldownLeft()).isEqualTo(Duration.ofMinutes(2));
        cluster.time.passSeconds(119);
        assertThat(one.visit()).isEqualTo("fallback");
        assertThat(other.visit()).isEqualTo("fallback");
        cluster.time.passSeconds(1);
        assertThat(one.visit()).isEqualTo("primary");
    }

    @Test
    void a_failure_is_in_the_row_before_the_fallback_answers() throws Exception { // D9
        cluster.provider.down();
        String answer = one.breaker.call(cluster.provider::visit, () -> {
            BreakerRow stored = cluster.store.readAll().get(0);
            assertThat(stored.lastFailure())
                    .hasValueSatisfying(last -> assertThat(last.kind()).isEqualTo(FailureKind.OUTAGE));
            return "after " + stored.standing().consecutiveFailures();
        });
        assertThat(answer).isEqualTo("after 1");
    }
}
