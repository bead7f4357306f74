package io.distributedfallback.core;

import io.distributedfallback.FallbackLimitedException;
import java.util.HashMap;
import java.util.Map;

/**
 * The exceptions that are known by name, their subclasses with them; the nearest superclass decides. By name, because
 * the libraries need not be on the class path and, on a server, come from class loaders that this class cannot see.
 */
final class KnownFailures {

    /** What a class of exceptions says, or where to look for it. */
    enum Clue {
        OUTAGE,
        LOCAL,
        CANCELLED,
        CALLER_ERROR,
        MISCONFIGURED,
        /** The status of the answer decides. */
        HTTP_ANSWER,
        /** The status of the call decides. */
        GRPC_ANSWER,
        /** The SQL state decides. */
        SQL_STATE,
        /** The cause decides; if it is not known, the answer came, and our side could not make sense of it. */
        UNREADABLE_ANSWER,
        /** Ours if the address was refused; else the cause decides. */
        MAYBE_BAD_ADDRESS,
        /** The cause decides. */
        LOOK_AT_CAUSE,
        /** Nothing is known. */
        UNKNOWN
    }

    private static final Map<String, Clue> CLUES = new HashMap<>();

    static {
        is(
                Clue.CANCELLED,
                "java.lang.InterruptedException",
                "java.util.concurrent.CancellationException",
                "java.nio.channels.ClosedByInterruptException");
        // An address that cannot be right, a pool or a port range that is used up, a queue that is full: all ours.
        is(
                Clue.LOCAL,
                "java.net.MalformedURLException",
                "java.net.URISyntaxException",
                "java.net.BindException",
                "java.util.concurrent.RejectedExecutionException",
                "jakarta.ws.rs.core.UriBuilderException",
                "org.eclipse.microprofile.rest.client.RestClientDefinitionException",
                "org.apache.http.conn.ConnectionPoolTimeoutException",
                "org.apache.http.conn.UnsupportedSchemeException",
                "org.apache.hc.core5.http.ConnectionRequestTimeoutException",
                "org.apache.hc.client5.http.UnsupportedSchemeException",
                "io.vertx.core.http.ConnectionPoolTooBusyException",
                "com.ibm.websphere.ce.cm.ConnectionWaitTimeoutException",
                "com.ibm.websphere.ce.j2c.ConnectionWaitTimeoutException");
        // Inner bulkheads, rate limiters and breakers, MicroProfile's and those of libraries.
        is(
                Clue.LOCAL,
                "org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException",
                "org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException",
                FallbackLimitedException.class.getName(),
                "io.smallrye.faulttolerance.api.RateLimitException",
                "io.github.resilience4j.circuitbreaker.CallNotPermittedException",
                "io.github.resilience4j.bulkhead.BulkheadFullException",
                "io.github.resilience4j.ratelimiter.RequestNotPermitted",
                "dev.failsafe.CircuitBreakerOpenException",
                "dev.failsafe.BulkheadFullException",
                "dev.failsafe.RateLimitExceededException");
        // @Transactional(MANDATORY) without a transaction, NEVER within one: the provider has not been asked.
        is(
                Clue.LOCAL,
                "jakarta.transaction.TransactionRequiredException",
                "jakarta.transaction.InvalidTransactionException",
                "jakarta.persistence.TransactionRequiredException");
        is(Clue.CALLER_ERROR, "jakarta.validation.ConstraintViolationException");
        is(Clue.OUTAGE, "java.io.IOException", "org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException");

        is(Clue.HTTP_ANSWER, "jakarta.ws.rs.WebApplicationException", UnexpectedAnswer.class.getName());
        is(Clue.GRPC_ANSWER, "io.grpc.StatusRuntimeException", "io.grpc.StatusException");
        is(
                Clue.UNREADABLE_ANSWER,
                "jakarta.ws.rs.client.ResponseProcessingException",
                "jakarta.ws.rs.core.NoContentException",
                "jakarta.json.JsonException",
                "jakarta.json.bind.JsonbException",
                "jakarta.xml.bind.JAXBException",
                "com.fasterxml.jackson.core.JsonProcessingException");
        is(
                Clue.LOOK_AT_CAUSE,
                "jakarta.ws.rs.ProcessingException",
                "jakarta.persistence.PersistenceException",
                "jakarta.transaction.RollbackException",
                "jakarta.transaction.TransactionalException");
        is(
                Clue.MAYBE_BAD_ADDRESS,
                "java.lang.IllegalArgumentException",
                "org.apache.http.client.ClientProtocolException",
                "org.apache.http.HttpException",
                "org.apache.hc.client5.http.ClientProtocolException",
                "org.apache.hc.core5.http.HttpException");

        is(Clue.SQL_STATE, "java.sql.SQLException");
        is(Clue.CALLER_ERROR, "java.sql.SQLIntegrityConstraintViolationException", "java.sql.SQLDataException");
        is(Clue.MISCONFIGURED, "java.sql.SQLInvalidAuthorizationSpecException");
        is(Clue.LOCAL, "java.sql.SQLSyntaxErrorException");
    }

    /** The name that is known, or an empty one: a string and not a {@link Clue}, see {@link ClassNames}. */
    private static final ClassValue<String> NAMES = new ClassValue<>() {
        @Override
        protected String computeValue(Class<?> type) {
            String name = ClassNames.firstIn(CLUES.keySet(), type);
            return name == null ? "" : name;
        }
    };

    private KnownFailures() {}

    /** What the class of a failure says, wrappers looked through. */
    static Clue clue(Throwable failure) {
        Clue clue = CLUES.getOrDefault(NAMES.get(failure.getClass()), Clue.UNKNOWN);
        return clue == Clue.UNKNOWN && Causes.isWrapper(failure) ? Clue.LOOK_AT_CAUSE : clue;
    }

    private static void is(Clue clue, String... names) {
        for (String name : names) {
            CLUES.put(name, clue);
        }
    }
}
