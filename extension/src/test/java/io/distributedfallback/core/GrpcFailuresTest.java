package io.distributedfallback.core;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureKind;
import io.distributedfallback.RetryAfter;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.ConnectException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the real exceptions of gRPC say. */
class GrpcFailuresTest {

    private static final Metadata.Key<String> PUSHBACK =
            Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

    private final FailureRules rules = FailureRules.forAll("games", List.of(), new BreakerListener() {});

    @ParameterizedTest
    @CsvSource({
        "OK, LOCAL",
        "CANCELLED, CANCELLED",
        "UNKNOWN, OUTAGE",
        "INVALID_ARGUMENT, CALLER_ERROR",
        "DEADLINE_EXCEEDED, OUTAGE",
        "NOT_FOUND, CALLER_ERROR",
        "ALREADY_EXISTS, CALLER_ERROR",
        "PERMISSION_DENIED, MISCONFIGURED",
        "RESOURCE_EXHAUSTED, THROTTLED",
        "FAILED_PRECONDITION, CALLER_ERROR",
        "ABORTED, OUTAGE",
        "OUT_OF_RANGE, CALLER_ERROR",
        "UNIMPLEMENTED, MISCONFIGURED",
        "INTERNAL, OUTAGE",
        "UNAVAILABLE, OUTAGE",
        "DATA_LOSS, OUTAGE",
        "UNAUTHENTICATED, MISCONFIGURED"
    })
    void knows_a_call_by_its_status(Status.Code code, FailureKind kind) {
        Status status = code.toStatus().withDescription("as it is");
        for (Throwable failure : List.of(status.asRuntimeException(), status.asException())) {
            assertThat(rules.classify(failure)).isEqualTo(Classification.of(kind));
        }
    }

    @Test
    void every_status_of_grpc_is_in_that_table() throws NoSuchMethodException {
        CsvSource table = getClass()
                .getDeclaredMethod("knows_a_call_by_its_status", Status.Code.class, FailureKind.class)
                .getAnnotation(CsvSource.class);
        Set<Status.Code> named = Stream.of(table.value())
                .map(line -> Status.Code.valueOf(line.replaceFirst(",.*", "")))
                .collect(Collectors.toSet());
        assertThat(named).isEqualTo(EnumSet.allOf(Status.Code.class));
    }

    @Test
    void the_status_outranks_the_cause() {
        assertThat(rules.classify(Status.UNAUTHENTICATED
                                .withCause(new ConnectException("refused"))
                                .asRuntimeException())
                        .kind())
                .isEqualTo(FailureKind.MISCONFIGURED);
    }

    @Test
    void wrappers_make_no_difference() {
        assertThat(rules.classify(new ExecutionException(Status.NOT_FOUND.asRuntimeException()))
                        .kind())
                .isEqualTo(FailureKind.CALLER_ERROR);
    }

    @Test
    void obeys_the_pushback_of_a_server_that_is_exhausted_or_unavailable() {
        Classification pause = Classification.throttled(new RetryAfter.In(Duration.ofMillis(2500)));
        Metadata trailers = trailers("2500");
        assertThat(rules.classify(Status.RESOURCE_EXHAUSTED.asRuntimeException(trailers)))
                .isEqualTo(pause);
        assertThat(rules.classify(Status.RESOURCE_EXHAUSTED.asException(trailers)))
                .isEqualTo(pause);
        assertThat(rules.classify(Status.UNAVAILABLE.asRuntimeException(trailers)))
                .isEqualTo(pause);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "", "soon", "12345678901234567890", "1.5"})
    void a_pushback_that_names_no_time_leaves_the_pause_to_the_policy(String value) {
        assertThat(rules.classify(Status.RESOURCE_EXHAUSTED.asRuntimeException(trailers(value))))
                .isEqualTo(Classification.of(FailureKind.THROTTLED));
        assertThat(rules.classify(Status.UNAVAILABLE.asRuntimeException(trailers(value))))
                .isEqualTo(Classification.of(FailureKind.OUTAGE));
    }

    @Test
    void a_pushback_of_zero_leaves_nothing_to_wait_for() {
        assertThat(rules.classify(Status.UNAVAILABLE.asRuntimeException(trailers("0"))))
                .isEqualTo(Classification.of(FailureKind.OUTAGE));
    }

    @Test
    void trailers_without_a_pushback_say_nothing() {
        assertThat(rules.classify(Status.RESOURCE_EXHAUSTED.asRuntimeException(new Metadata())))
                .isEqualTo(Classification.of(FailureKind.THROTTLED));
    }

    private static Metadata trailers(String pushback) {
        Metadata trailers = new Metadata();
        trailers.put(PUSHBACK, pushback);
        return trailers;
    }
}
