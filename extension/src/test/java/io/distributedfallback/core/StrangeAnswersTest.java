package io.distributedfallback.core;

import io.distributedfallback.core.Cluster.Instance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.core.CallOutcome.FALLBACK_RETURNED;
import static org.assertj.core.api.Assertions.assertThat;

/** Whoever counts takes what a fallback answers as it is, however strange: the caller gets it as if nobody counted. */
class StrangeAnswersTest {

    private final Cluster cluster = new Cluster();
    private final List<CallOutcome> counted = new ArrayList<>();
    private final FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});
    private final Instance one;

    StrangeAnswersTest() throws Exception {
        cluster.instruments = new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                return Optional.of(counted::add);
            }
        };
        one = cluster.instance();
        cluster.open(one);
        counted.clear();
    }

    /** As the AsyncResult of Jakarta Enterprise Beans: it carries a value, and cannot be asked whether it is done. */
    private static final class Carrier extends CompletableFuture<String> {
        @Override
        public boolean isDone() {
            throw new IllegalStateException("not a future");
        }

        @Override
        public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
            throw new UnsupportedOperationException("nobody may follow");
        }
    }

    /** The same and no stage. */
    private record Plain(Carrier carrier) implements Future<String> {
        @Override
        public boolean isDone() {
            return carrier.isDone();
        }

        @Override
        public String get() {
            return "carried";
        }

        @Override
        public String get(long timeout, java.util.concurrent.TimeUnit unit) {
            return get();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return false;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    @Test
    void a_future_that_cannot_be_asked_is_handed_on_and_counted() throws Exception {
        Future<String> answer = one.breaker.callFuture(
                one,
                called -> CompletableFuture.completedFuture("primary"),
                (called, failure) -> new Plain(new Carrier()),
                rules);
        assertThat(answer.get()).isEqualTo("carried");
        assertThat(counted).containsExactly(FALLBACK_RETURNED);
    }

    @Test
    void a_stage_that_nobody_may_follow_is_handed_on_and_counted() throws Exception {
        Carrier strange = new Carrier();
        CompletionStage<String> answer =
                one.callStage(() -> CompletableFuture.completedFuture("primary"), failure -> strange);
        assertThat(answer).isSameAs(strange);
        assertThat(counted).containsExactly(FALLBACK_RETURNED);
    }
}
