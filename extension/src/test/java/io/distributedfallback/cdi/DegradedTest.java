package io.distributedfallback.cdi;

import io.distributedfallback.Breakers;
import io.distributedfallback.Degraded;
import io.distributedfallback.Degraded.Answer;
import io.distributedfallback.Degraded.Rung;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.LastGood;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Provider;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code Degraded}: what answered instead of primaries in a request. */
class DegradedTest extends InWeld {

    @ApplicationScoped
    static class Games {
        private boolean down;

        void goDown() {
            down = true;
        }

        private String answer(String query) throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            return "primary: " + query;
        }

        @LastGood
        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String search(String query) throws IOException {
            return answer(query);
        }

        @DistributedFallback(breaker = "alone")
        String alone(String query) throws IOException {
            return answer(query);
        }

        @DistributedFallback(breaker = "later", fallbackMethod = "insteadLater")
        CompletionStage<String> later(CompletionStage<String> primary) {
            return primary;
        }

        @FallbackLimit(value = 1, burst = 1)
        @DistributedFallback(breaker = "limited", fallbackMethod = "instead")
        String limited(String query) throws IOException {
            return answer(query);
        }

        String instead(String query) {
            return "fallback";
        }

        CompletionStage<String> insteadLater(CompletionStage<String> primary) {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    @ApplicationScoped
    static class Page {
        @Inject
        private Degraded degraded;

        Degraded degraded() {
            return degraded;
        }

        List<Answer> answers() {
            return degraded.answers();
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void inRequest(Work work) throws Exception {
        RequestContextController request =
                container.select(RequestContextController.class).get();
        assertThat(request.activate()).isTrue();
        try {
            work.run();
        } finally {
            request.deactivate();
        }
    }

    @Test
    void tells_a_call_that_the_limit_of_the_fallback_refused_from_one_that_failed() throws Exception {
        Games games = start(Games.class, Page.class);
        Degraded degraded = container.select(Page.class).get().degraded();
        games.goDown();
        inRequest(() -> {
            assertThat(games.limited("zelda")).isEqualTo("fallback");
            assertThatThrownBy(() -> games.limited("mario"))
                    .isInstanceOf(IOException.class)
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .hasAtLeastOneElementOfType(FallbackLimitedException.class));
            assertThat(degraded.answers()).extracting(Answer::rung).containsExactly(Rung.FALLBACK, Rung.LIMITED);
            assertThat(degraded.unavailable()).containsExactly("limited");
        });
    }

    @Test
    void tells_what_answered_in_order_with_the_age_of_what_was_kept() throws Exception {
        Games games = start(Games.class, Page.class);
        Degraded degraded = container.select(Page.class).get().degraded();
        inRequest(() -> {
            games.search("zelda");
            assertThat(degraded.isDegraded()).isFalse();
            assertThat(degraded.answers()).isEmpty();
        });
        games.goDown();
        inRequest(() -> {
            games.search("zelda");
            games.search("mario");
            assertThatThrownBy(() -> games.alone("zelda")).isInstanceOf(IOException.class);
            assertThat(degraded.isDegraded()).isTrue();
            assertThat(degraded.answers())
                    .extracting(Answer::breaker, Answer::rung)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("rawg", Rung.LAST_GOOD),
                            org.assertj.core.groups.Tuple.tuple("rawg", Rung.FALLBACK),
                            org.assertj.core.groups.Tuple.tuple("alone", Rung.UNAVAILABLE));
            assertThat(degraded.answers().get(0).age())
                    .hasValueSatisfying(age -> assertThat(age).isPositive());
            assertThat(degraded.answers().get(1).age()).isEmpty();
            assertThat(degraded.breakers()).containsExactly("rawg", "alone");
            assertThat(degraded.unavailable()).containsExactly("alone");
        });
        inRequest(() -> assertThat(degraded.isDegraded()).as("another request").isFalse());
    }

    @Test
    void without_a_request_calls_go_on() throws Exception {
        Games games = start(Games.class, Page.class);
        games.goDown();
        assertThat(games.search("zelda")).isEqualTo("fallback");
        assertThat(games.later(CompletableFuture.failedFuture(new IOException()))
                        .toCompletableFuture()
                        .join())
                .isEqualTo("fallback");
    }

    @Test
    void calls_that_code_guards_are_noted_too() throws Exception {
        Page page = start(Page.class, Games.class);
        Breakers breakers = container.select(Breakers.class).get();
        inRequest(() -> {
            breakers.get("tenants", "acme")
                    .call(
                            () -> {
                                throw new IOException("HTTP 503");
                            },
                            () -> "fallback");
            assertThat(page.answers()).containsExactly(new Answer("tenants", Rung.FALLBACK, Optional.empty()));
        });
    }

    @Test
    void a_stage_is_noted_in_the_request_of_its_caller_wherever_it_completes() throws Exception {
        Games games = start(Games.class, Page.class);
        Page page = container.select(Page.class).get();
        inRequest(() -> {
            CompletableFuture<String> primary = new CompletableFuture<>();
            CompletableFuture<String> answer = games.later(primary).toCompletableFuture();
            Thread elsewhere = new Thread(() -> primary.completeExceptionally(new IOException("HTTP 503")));
            elsewhere.start();
            assertThat(answer.join()).isEqualTo("fallback");
            assertThat(page.answers()).containsExactly(new Answer("later", Rung.FALLBACK, Optional.empty()));
            elsewhere.join();
        });
    }

    interface Catalogue {
        CompletionStage<String> find(String title);

        String name(String title) throws IOException;
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "outer", backup = Backup.class)
    static class Primary implements Catalogue {
        @Override
        public CompletionStage<String> find(String title) {
            CompletableFuture<String> stage = new CompletableFuture<>();
            new Thread(() -> stage.completeExceptionally(new IOException("HTTP 503"))).start();
            return stage;
        }

        @Override
        public String name(String title) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @Typed(Backup.class)
    @DistributedFallback(breaker = "inner", value = Last.class)
    static class Backup implements Catalogue {
        @Override
        @DistributedFallback(breaker = "inner", fallbackMethod = "lastLater")
        public CompletionStage<String> find(String title) {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        @Override
        public String name(String title) throws IOException {
            throw new IOException("HTTP 503");
        }

        CompletionStage<String> lastLater(String title) {
            return CompletableFuture.completedFuture("last");
        }
    }

    static class Last implements org.eclipse.microprofile.faulttolerance.FallbackHandler<String> {
        @Override
        public String handle(org.eclipse.microprofile.faulttolerance.ExecutionContext context) {
            return "last";
        }
    }

    @Test
    void of_calls_within_calls_both_are_noted_the_inner_one_first_on_whatever_thread() throws Exception {
        startAll(Primary.class, Backup.class, Page.class);
        Catalogue catalogue = container.select(Catalogue.class).get();
        Page page = container.select(Page.class).get();
        inRequest(() -> {
            assertThat(catalogue.name("zelda")).isEqualTo("last");
            assertThat(page.answers()).extracting(Answer::breaker).containsExactly("inner", "outer");
            assertThat(catalogue.find("zelda").toCompletableFuture().join()).isEqualTo("last");
            assertThat(page.answers()).extracting(Answer::breaker).containsExactly("inner", "outer", "inner", "outer");
        });
    }

    @Test
    void calls_at_once_are_all_noted() throws Exception {
        startAll(Games.class, Page.class);
        Page page = container.select(Page.class).get();
        inRequest(() -> {
            RequestAnswers answers = new RequestAnswers();
            Thread[] threads = IntStream.range(0, 4)
                    .mapToObj(i -> new Thread(() -> IntStream.range(0, 200)
                            .forEach(j -> answers.add(new Answer("b" + i, Rung.FALLBACK, Optional.empty())))))
                    .toArray(Thread[]::new);
            for (Thread thread : threads) {
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(answers.answers()).hasSize(800);
            assertThat(answers.breakers()).containsExactlyInAnyOrder("b0", "b1", "b2", "b3");
            assertThat(page.answers()).isEmpty();
        });
    }

    @Test
    void a_request_that_never_ends_fills_no_memory() {
        RequestAnswers answers = new RequestAnswers();
        IntStream.range(0, 5000).forEach(i -> answers.add(new Answer("b", Rung.FALLBACK, Optional.empty())));
        assertThat(answers.answers()).hasSize(1000);
    }

    @Test
    void code_that_looks_it_up_has_what_comes_after_that() throws Exception {
        Games games = start(Games.class);
        games.goDown();
        inRequest(() -> {
            games.search("zelda");
            Degraded degraded = container.select(Degraded.class).get();
            assertThat(degraded.isDegraded()).as("nobody had wanted to know").isFalse();
            games.search("zelda");
            assertThat(degraded.isDegraded()).isTrue();
        });
    }

    @ApplicationScoped
    static class Later {
        @Inject
        private Instance<Degraded> instance;

        boolean isDegraded() {
            return instance.get().isDegraded();
        }
    }

    @ApplicationScoped
    static class Provided {
        @Inject
        private Provider<Degraded> provider;

        boolean isDegraded() {
            return provider.get().isDegraded();
        }
    }

    @Test
    void one_that_is_injected_to_be_had_later_has_all_of_the_request() throws Exception {
        Games games = start(Games.class, Later.class);
        games.goDown();
        inRequest(() -> {
            games.search("zelda");
            assertThat(container.select(Later.class).get().isDegraded()).isTrue();
        });
    }

    @Test
    void so_has_one_that_a_provider_gives() throws Exception {
        Games games = start(Games.class, Provided.class);
        games.goDown();
        inRequest(() -> {
            games.search("zelda");
            assertThat(container.select(Provided.class).get().isDegraded()).isTrue();
        });
    }

    @Test
    void a_header_has_calls_noted_too() throws Exception {
        settings.put("distributed-fallback.degraded-header", "Degraded");
        Games games = start(Games.class);
        games.goDown();
        inRequest(() -> {
            games.search("zelda");
            assertThat(container.select(Degraded.class).get().isDegraded()).isTrue();
        });
    }
}
