package io.distributedfallback.core;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import jakarta.ejb.EJBException;
import jakarta.json.bind.JsonbException;
import jakarta.persistence.PersistenceException;
import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.TransactionRequiredException;
import jakarta.transaction.TransactionalException;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.client.ResponseProcessingException;
import jakarta.ws.rs.core.Response;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLInvalidAuthorizationSpecException;
import java.sql.SQLSyntaxErrorException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.FaultToleranceException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distributedfallback.FailureKind.CALLER_ERROR;
import static io.distributedfallback.FailureKind.CANCELLED;
import static io.distributedfallback.FailureKind.LOCAL;
import static io.distributedfallback.FailureKind.MISCONFIGURED;
import static io.distributedfallback.FailureKind.OUTAGE;
import static io.distributedfallback.FailureKind.THROTTLED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class BuiltInClassifierTest {

    private final BuiltInClassifier classifier = new BuiltInClassifier();

    static Stream<Arguments> failures() {
        return Stream.of(
                // The provider or the way to it.
                arguments(new UnknownHostException("api.example.com"), OUTAGE),
                arguments(new ConnectException("refused"), OUTAGE),
                arguments(new NoRouteToHostException("none"), OUTAGE),
                arguments(new SocketTimeoutException("read"), OUTAGE),
                arguments(new SocketException("Connection reset"), OUTAGE),
                arguments(new SSLHandshakeException("expired"), OUTAGE),
                arguments(new EOFException("half an answer"), OUTAGE),
                arguments(new HttpTimeoutException("late"), OUTAGE),
                arguments(new HttpConnectTimeoutException("late"), OUTAGE),
                arguments(new TimeoutException("late"), OUTAGE),
                arguments(new org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException("late"), OUTAGE),
                arguments(new UncheckedIOException(new ConnectException("refused")), OUTAGE),
                arguments(new IllegalStateException("something nobody has heard of"), OUTAGE),
                arguments(new NumberFormatException("x"), OUTAGE),
                arguments(new ProcessingException("no cause"), OUTAGE),
                arguments(new ProcessingException(new SocketTimeoutException("read")), OUTAGE),
                // Ours.
                arguments(new MalformedURLException("no protocol"), LOCAL),
                arguments(new URISyntaxException("a b", "space"), LOCAL),
                arguments(thrownBy(() -> URI.create("http://a b/")), LOCAL),
                arguments(new ProcessingException(new MalformedURLException("no protocol")), LOCAL),
                arguments(new BindException("Cannot assign requested address"), LOCAL),
                arguments(new RejectedExecutionException("full"), LOCAL),
                arguments(new TransactionalException("MANDATORY", new TransactionRequiredException()), LOCAL),
                arguments(new TransactionalException("NEVER", new InvalidTransactionException()), LOCAL),
                arguments(new jakarta.persistence.TransactionRequiredException(), LOCAL),
                arguments(new BulkheadException("full"), LOCAL),
                arguments(new CircuitBreakerOpenException("inner"), LOCAL),
                arguments(new BreakerOpenException("inner", Duration.ZERO, "inner"), LOCAL),
                arguments(new ResponseProcessingException(null, new JsonbException("not JSON")), LOCAL),
                arguments(new JsonbException("not JSON"), LOCAL),
                arguments(new ResponseProcessingException(null, "no reader"), LOCAL),
                arguments(new ResponseProcessingException(null, new SocketException("reset in the body")), OUTAGE),
                arguments(new JsonbException("read", new SocketTimeoutException("in the body")), OUTAGE),
                // Our end of the call.
                arguments(new InterruptedException(), CANCELLED),
                arguments(new CancellationException(), CANCELLED),
                arguments(new ClosedByInterruptException(), CANCELLED),
                arguments(new ProcessingException(new InterruptedException()), CANCELLED),
                arguments(new IllegalStateException("wrapped by a client", new InterruptedException()), CANCELLED),
                // The caller's.
                arguments(new ConstraintViolationException("size", Set.of()), CALLER_ERROR),
                arguments(new NotFoundException(), CALLER_ERROR),
                arguments(new NotFoundException() {}, CALLER_ERROR),
                arguments(new ProcessingException(new NotFoundException()), CALLER_ERROR),
                // A database as the provider.
                arguments(new SQLException("gone", "08006"), OUTAGE),
                arguments(new SQLException("no state"), OUTAGE),
                arguments(new SQLException("too many connections", "53300"), OUTAGE),
                arguments(new SQLTimeoutException("late"), OUTAGE),
                arguments(new SQLTransientConnectionException("late"), OUTAGE),
                arguments(new SQLException("duplicate key", "23505"), CALLER_ERROR),
                arguments(new SQLIntegrityConstraintViolationException("duplicate key"), CALLER_ERROR),
                arguments(new PersistenceException(new SQLException("duplicate key", "23505")), CALLER_ERROR),
                arguments(new SQLException("wrong password", "28P01"), MISCONFIGURED),
                arguments(new SQLException("no right", "42501"), MISCONFIGURED),
                arguments(new SQLInvalidAuthorizationSpecException("wrong password"), MISCONFIGURED),
                arguments(new SQLException("no such table", "42P01"), LOCAL),
                arguments(new SQLSyntaxErrorException("no such table"), LOCAL));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void knows_a_failure_by_its_type(Throwable failure, FailureKind kind) {
        assertThat(kindOf(failure)).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({
        "100, OUTAGE",
        "199, OUTAGE",
        "200, LOCAL",
        "204, LOCAL",
        "301, LOCAL",
        "304, LOCAL",
        "400, CALLER_ERROR",
        "401, MISCONFIGURED",
        "402, CALLER_ERROR",
        "403, MISCONFIGURED",
        "404, CALLER_ERROR",
        "405, CALLER_ERROR",
        "407, MISCONFIGURED",
        "408, LOCAL",
        "409, CALLER_ERROR",
        "410, CALLER_ERROR",
        "418, CALLER_ERROR",
        "422, CALLER_ERROR",
        "428, CALLER_ERROR",
        "429, THROTTLED",
        "431, CALLER_ERROR",
        "451, CALLER_ERROR",
        "499, CALLER_ERROR",
        "500, OUTAGE",
        "501, OUTAGE",
        "502, OUTAGE",
        "503, OUTAGE",
        "504, OUTAGE",
        "520, OUTAGE",
        "522, OUTAGE",
        "599, OUTAGE",
        "600, OUTAGE",
        "999, OUTAGE"
    })
    void knows_an_answer_by_its_status(int status, FailureKind kind) {
        assertThat(kindOf(new WebApplicationException(Response.status(status).build())))
                .isEqualTo(kind);
    }

    @Test
    void takes_429_for_throttling_and_obeys_the_pause() {
        assertThat(classify(answer(429, "120"))).isEqualTo(pause(Duration.ofMinutes(2)));
    }

    @Test
    void leaves_the_pause_of_429_to_the_policy_when_none_is_named_or_none_can_be_read() {
        assertThat(classify(answer(429, null))).isEqualTo(Classification.of(THROTTLED));
        assertThat(classify(answer(429, "soon"))).isEqualTo(Classification.of(THROTTLED));
    }

    @Test
    void takes_503_for_throttling_only_when_it_names_a_pause() {
        assertThat(classify(answer(503, "30"))).isEqualTo(pause(Duration.ofSeconds(30)));
        assertThat(classify(answer(503, null))).isEqualTo(Classification.of(OUTAGE));
        assertThat(classify(answer(503, "soon"))).isEqualTo(Classification.of(OUTAGE));
        assertThat(classify(answer(503, "0"))).isEqualTo(Classification.of(OUTAGE));
    }

    @Test
    void measures_a_date_by_the_date_of_the_same_answer() {
        Response response = Response.status(503)
                .header("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
                .header("Retry-After", "Sun, 06 Nov 1994 08:51:37 GMT")
                .build();

        assertThat(classify(new WebApplicationException(response))).isEqualTo(pause(Duration.ofMinutes(2)));
    }

    @Test
    void finds_the_headers_that_resteasy_hides_inside_a_server() {
        WebApplicationException original = answer(429, "120");
        WebApplicationException sanitized =
                new WebApplicationException(original, Response.status(429).build());

        assertThat(classify(sanitized)).isEqualTo(pause(Duration.ofMinutes(2)));
    }

    @Test
    void takes_an_answer_that_cannot_be_read_for_an_outage() {
        WebApplicationException unreadable = new WebApplicationException(500) {
            @Override
            public Response getResponse() {
                throw new IllegalStateException("closed");
            }
        };

        assertThat(kindOf(unreadable)).isEqualTo(OUTAGE);
    }

    @Test
    void sees_through_the_bare_exception_of_fault_tolerance_but_not_through_its_subclasses() {
        assertThat(Causes.unwrap(new FaultToleranceException(new NotFoundException())))
                .isInstanceOf(NotFoundException.class);
        BulkheadException full = new BulkheadException(new ConnectException("refused"));
        assertThat(Causes.unwrap(full)).isSameAs(full);
    }

    @Test
    void survives_causes_that_go_round_in_a_circle() {
        ProcessingException one = new ProcessingException("one");
        ProcessingException other = new ProcessingException("other", one);
        one.initCause(other);
        assertThat(kindOf(other)).isEqualTo(OUTAGE);

        IllegalStateException unknown = new IllegalStateException("unknown");
        unknown.initCause(new IOException("io", unknown));
        assertThat(kindOf(unknown)).isEqualTo(OUTAGE);

        EJBException wrapper = new EJBException("one");
        wrapper.initCause(new ExecutionException("other", wrapper));
        assertThat(kindOf(Causes.unwrap(wrapper))).isEqualTo(OUTAGE);
        assertThat(Causes.carriesError(wrapper)).isFalse();
    }

    @Test
    void survives_ten_thousand_causes() {
        Throwable chain = new NotFoundException();
        for (int i = 0; i < 10_000; i++) {
            chain = new ProcessingException(chain);
        }
        assertThat(kindOf(chain)).isEqualTo(OUTAGE);
    }

    private Classification classify(Throwable failure) {
        return classifier.classify(failure).orElseThrow();
    }

    private FailureKind kindOf(Throwable failure) {
        return classify(failure).kind();
    }

    private static Classification pause(Duration pause) {
        return Classification.throttled(new RetryAfter.In(pause));
    }

    private static WebApplicationException answer(int status, String retryAfter) {
        return new WebApplicationException(
                Response.status(status).header("Retry-After", retryAfter).build());
    }

    private static Throwable thrownBy(Runnable code) {
        try {
            code.run();
        } catch (RuntimeException e) {
            return e;
        }
        throw new AssertionError("nothing was thrown");
    }
}
