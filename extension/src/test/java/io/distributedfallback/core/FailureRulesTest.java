package io.distributedfallback.core;

import io.distributedfallback.BreakerTransition;
import io.distributedfallback.Classification;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.FailureKind;
import jakarta.ejb.EJBException;
import jakarta.ejb.EJBTransactionRolledbackException;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.ForbiddenException;
import jakarta.ws.rs.InternalServerErrorException;
import jakarta.ws.rs.NotAuthorizedException;
import jakarta.ws.rs.ProcessingException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.net.ConnectException;
import java.net.MalformedURLException;
import java.security.PrivilegedActionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailureRulesTest {

    private final Heard heard = new Heard();

    @Test
    void field_case_d1_a_400_between_two_5xx_neither_breaks_the_series_nor_counts() {
        FailureKind kind = kindOf(new BadRequestException());
        assertThat(kind).isEqualTo(FailureKind.CALLER_ERROR);
        assertThat(kind.counts()).isFalse();
        assertThat(kindOf(new InternalServerErrorException()).counts()).isTrue();
    }

    @Test
    void field_case_d2_a_cancelled_call_is_neutral_and_gets_no_fallback() {
        FailureKind kind = kindOf(new CompletionException(new CancellationException()));
        assertThat(kind).isEqualTo(FailureKind.CANCELLED);
        assertThat(kind.counts()).isFalse();
        assertThat(kind.usesFallback()).isFalse();
    }

    @Test
    void field_case_d3_a_malformed_url_is_not_the_providers_fault() {
        FailureKind kind = kindOf(new ProcessingException(new MalformedURLException("no protocol: api")));
        assertThat(kind).isEqualTo(FailureKind.LOCAL);
        assertThat(kind.counts()).isFalse();
        assertThat(kind.usesFallback()).isTrue();
    }

    @Test
    void field_case_d7_an_expired_key_never_counts_and_gets_the_fallback() {
        for (Throwable refusal : List.of(new NotAuthorizedException("Bearer"), new ForbiddenException())) {
            FailureKind kind = kindOf(refusal);
            assertThat(kind).isEqualTo(FailureKind.MISCONFIGURED);
            assertThat(kind.counts()).isFalse();
            assertThat(kind.usesFallback()).isTrue();
        }
    }

    static List<Throwable> wrapped() {
        BadRequestException bad = new BadRequestException();
        return List.of(
                bad,
                new CompletionException(bad),
                new ExecutionException(bad),
                new EJBException(bad),
                new EJBTransactionRolledbackException("rolled back", bad),
                new UndeclaredThrowableException(bad),
                new InvocationTargetException(bad),
                new PrivilegedActionException(bad),
                new ProcessingException(bad),
                new EJBException(new ExecutionException(new CompletionException(bad))),
                new ProcessingException(new ExecutionException(bad)));
    }

    @ParameterizedTest
    @MethodSource("wrapped")
    void field_case_d8_wrappers_make_no_difference(Throwable thrown) {
        assertThat(kindOf(thrown)).isEqualTo(FailureKind.CALLER_ERROR);
    }

    @Test
    void field_case_d11_an_error_is_recognised_in_any_wrapper() {
        Error error = new StackOverflowError();
        assertThat(Causes.carriesError(error)).isTrue();
        assertThat(Causes.carriesError(new ExecutionException(new CompletionException(error))))
                .isTrue();
        assertThat(Causes.carriesError(new ProcessingException(new ExecutionException(error))))
                .isTrue();
        assertThat(Causes.carriesError(new ProcessingException(new ConnectException("refused"))))
                .isFalse();
        assertThat(Causes.carriesError(new IllegalStateException("unrelated", error)))
                .isFalse();
    }

    @Test
    void an_empty_wrapper_stands_for_itself() {
        EJBException empty = new EJBException("nothing inside");
        assertThat(Causes.unwrap(empty)).isSameAs(empty);
        assertThat(kindOf(empty)).isEqualTo(FailureKind.OUTAGE);
    }

    @Test
    void skip_on_makes_an_exception_the_callers_error_with_or_without_wrapper() {
        FailureRules rules = rules(List.of(Throwable.class), List.of(IOException.class));
        assertThat(rules.classify(new ConnectException("refused")).kind()).isEqualTo(FailureKind.CALLER_ERROR);
        assertThat(rules.classify(new CompletionException(new ConnectException("refused")))
                        .kind())
                .isEqualTo(FailureKind.CALLER_ERROR);
        assertThat(rules.classify(new IllegalStateException()).kind()).isEqualTo(FailureKind.OUTAGE);
    }

    @Test
    void skip_on_may_name_the_wrapper_itself() {
        FailureRules rules = rules(List.of(Throwable.class), List.of(EJBException.class));
        assertThat(rules.classify(new EJBException(new ConnectException("refused")))
                        .kind())
                .isEqualTo(FailureKind.CALLER_ERROR);
    }

    @Test
    void fail_on_narrows_what_may_count() {
        FailureRules rules = rules(List.of(IOException.class, ProcessingException.class), List.of());
        assertThat(rules.classify(new ConnectException("refused")).kind()).isEqualTo(FailureKind.OUTAGE);
        assertThat(rules.classify(new ExecutionException(new ConnectException("refused")))
                        .kind())
                .isEqualTo(FailureKind.OUTAGE);
        assertThat(rules.classify(new ProcessingException(new IllegalStateException()))
                        .kind())
                .isEqualTo(FailureKind.OUTAGE);
        assertThat(rules.classify(new IllegalStateException()).kind()).isEqualTo(FailureKind.CALLER_ERROR);
    }

    @Test
    void fail_on_does_not_make_an_outage_of_what_is_none() {
        FailureRules rules = rules(List.of(ClientErrorException.class), List.of());
        assertThat(rules.classify(new BadRequestException()).kind()).isEqualTo(FailureKind.CALLER_ERROR);
    }

    @Test
    void skip_on_takes_precedence_over_fail_on() {
        FailureRules rules = rules(List.of(IOException.class), List.of(FileNotFoundException.class));
        assertThat(rules.classify(new FileNotFoundException()).kind()).isEqualTo(FailureKind.CALLER_ERROR);
        assertThat(rules.classify(new IOException()).kind()).isEqualTo(FailureKind.OUTAGE);
    }

    @Test
    void the_first_classifier_with_an_opinion_is_believed_before_the_built_in_one() {
        List<String> asked = new ArrayList<>();
        FailureRules rules = FailureRules.forAll(
                "rawg",
                List.of(
                        failure -> {
                            asked.add("first");
                            return Optional.empty();
                        },
                        failure -> {
                            asked.add("second");
                            return Optional.of(Classification.of(FailureKind.OUTAGE));
                        },
                        failure -> {
                            asked.add("third");
                            return Optional.of(Classification.of(FailureKind.LOCAL));
                        }),
                heard);

        assertThat(rules.classify(new BadRequestException()).kind()).isEqualTo(FailureKind.OUTAGE);
        assertThat(asked).containsExactly("first", "second");
    }

    @Test
    void classifiers_see_the_failure_without_wrappers_and_nothing_that_is_skipped() {
        List<Throwable> seen = new ArrayList<>();
        FailureClassifier curious = failure -> {
            seen.add(failure);
            return Optional.empty();
        };
        ConnectException refused = new ConnectException("refused");
        FailureRules rules = new FailureRules(
                "rawg", List.of(Throwable.class), List.of(IllegalStateException.class), List.of(curious), heard);

        rules.classify(new CompletionException(refused));
        rules.classify(new IllegalStateException());

        assertThat(seen).containsExactly(refused);
    }

    @Test
    void a_classifier_that_throws_or_answers_null_has_no_opinion_and_is_reported() {
        IllegalStateException bug = new IllegalStateException("bug");
        FailureRules rules = FailureRules.forAll(
                "rawg",
                List.of(
                        failure -> {
                            throw bug;
                        },
                        failure -> null),
                heard);

        assertThat(rules.classify(new BadRequestException()).kind()).isEqualTo(FailureKind.CALLER_ERROR);
        assertThat(heard.breakers).containsExactly("rawg", "rawg");
        assertThat(heard.taken).containsOnly(FailureKind.CALLER_ERROR);
        assertThat(heard.troubles.get(0)).isSameAs(bug);
        assertThat(heard.troubles.get(1)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void a_classifier_that_dies_of_an_error_has_no_opinion_either() {
        FailureClassifier broken = failure -> {
            throw new NoClassDefFoundError("a/missing/Library");
        };
        FailureRules rules = FailureRules.forAll("rawg", List.of(broken), heard);
        assertThat(rules.classify(new ConnectException()).kind()).isEqualTo(FailureKind.OUTAGE);
        assertThat(heard.troubles).hasSize(1);
    }

    private FailureKind kindOf(Throwable thrown) {
        return rules(List.of(Throwable.class), List.of()).classify(thrown).kind();
    }

    private FailureRules rules(List<Class<? extends Throwable>> failOn, List<Class<? extends Throwable>> skipOn) {
        return new FailureRules("rawg", failOn, skipOn, List.of(), heard);
    }

    private static final class Heard implements BreakerListener {

        private final List<String> breakers = new ArrayList<>();
        private final List<FailureKind> taken = new ArrayList<>();
        private final List<Throwable> troubles = new ArrayList<>();

        @Override
        public void classifierFailed(String breaker, FailureKind kind, Throwable thrown) {
            breakers.add(breaker);
            taken.add(kind);
            troubles.add(thrown);
        }

        @Override
        public void transitioned(BreakerTransition transition) {
            throw new AssertionError(transition);
        }

        @Override
        public void misconfigured(String breaker, String failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void probed(String breaker, ProbeVerdict verdict, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void storeLost(StoreException reason) {
            throw new AssertionError(reason);
        }

        @Override
        public void storeBack(Duration away, int failures) {
            throw new AssertionError();
        }
    }
}
