package io.distributedfallback.cdi;

import io.distributedfallback.BreakerKey;
import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Breakers;
import io.distributedfallback.CacheKey;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.LastGood;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code @LastGood}: what the primary returned last answers before any fallback. */
class LastGoodTest extends InWeld {

    /** A provider that can be switched off. */
    @ApplicationScoped
    static class Provider {
        private boolean down;

        void goDown() {
            down = true;
        }

        void comeBack() {
            down = false;
        }

        String ask(Object about) throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            return "primary: " + about;
        }
    }

    private void goDown() {
        container.select(Provider.class).get().goDown();
    }

    private void forceOpen(String breaker) {
        container.select(Breakers.class).get().get(breaker).forceOpen("a test", "to see what answers");
    }

    @ApplicationScoped
    static class Games {
        @jakarta.inject.Inject
        private Provider provider;

        @LastGood
        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String search(String query) throws IOException {
            return provider.ask(query);
        }

        @LastGood
        @DistributedFallback(breaker = "rawg", fallbackMethod = "insteadOfNumber")
        String search(int query) throws IOException {
            return provider.ask("number " + query);
        }

        String instead(String query) {
            return "fallback";
        }

        String insteadOfNumber(int query) {
            return "fallback";
        }
    }

    @Test
    void answers_with_the_last_result_for_the_same_arguments_and_with_the_fallback_for_others() throws Exception {
        Games games = start(Games.class, Provider.class);
        assertThat(games.search("zelda")).isEqualTo("primary: zelda");
        assertThat(games.search(1)).isEqualTo("primary: number 1");
        goDown();
        assertThat(games.search("zelda")).isEqualTo("primary: zelda");
        assertThat(games.search("mario")).isEqualTo("fallback");
        assertThat(games.search(1)).isEqualTo("primary: number 1");
        forceOpen("rawg");
        assertThat(games.search("zelda")).isEqualTo("primary: zelda");
        assertThat(games.search("mario"))
                .as("what the fallback answered is no good result")
                .isEqualTo("fallback");
    }

    @Test
    void a_failure_still_counts() throws Exception {
        Games games = start(Games.class, Provider.class);
        games.search("zelda");
        goDown();
        for (int i = 0; i < 3; i++) {
            assertThat(games.search("zelda")).isEqualTo("primary: zelda");
        }
        assertThat(container.select(Breakers.class).get().get("rawg").isOpen()).isTrue();
    }

    @Test
    void switched_off_by_configuration_it_is_as_if_it_were_not_there() throws Exception {
        settings.put(Games.class.getName() + "/search/LastGood/enabled", "false");
        Games games = start(Games.class, Provider.class);
        games.search("zelda");
        goDown();
        assertThat(games.search("zelda")).isEqualTo("fallback");
    }

    @Test
    void without_the_breaker_it_answers_after_a_failure() throws Exception {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Games games = start(Games.class, Provider.class);
        games.search("zelda");
        goDown();
        assertThat(games.search("zelda")).isEqualTo("primary: zelda");
        assertThat(games.search("mario")).isEqualTo("fallback");
    }

    static class Searching {
        @jakarta.inject.Inject
        private Provider provider;

        String search(String query) throws IOException {
            return provider.ask(query);
        }

        String instead(String query) {
            return "fallback";
        }
    }

    @LastGood
    @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
    static class Guarded extends Searching {}

    @ApplicationScoped
    static class Inheriting extends Guarded {}

    @ParameterizedTest
    @ValueSource(classes = {Inheriting.class, Guarded.class, Searching.class})
    void the_class_in_a_key_is_the_beans_or_one_above_it(Class<?> named) throws Exception {
        settings.put(named.getName() + "/LastGood/enabled", "false");
        settings.put("LastGood/enabled", "true");
        Inheriting games = start(Inheriting.class, Provider.class);
        games.search("zelda");
        goDown();
        assertThat(games.search("zelda")).isEqualTo("fallback");
    }

    @Test
    void a_method_in_a_key_goes_before_a_class_and_a_class_before_those_above_it() throws Exception {
        settings.put(Searching.class.getName() + "/search/LastGood/enabled", "true");
        settings.put(Inheriting.class.getName() + "/LastGood/enabled", "false");
        settings.put(Inheriting.class.getName() + "/LastGood/maxAge", "1h");
        settings.put(Guarded.class.getName() + "/LastGood/maxAge", "1ms");
        Inheriting games = start(Inheriting.class, Provider.class);
        games.search("zelda");
        goDown();
        assertThat(games.search("zelda")).isEqualTo("primary: zelda");
    }

    @Test
    void its_members_are_overridden_as_those_of_fault_tolerance() {
        settings.put(Games.class.getName() + "/search/LastGood/maxEntries", "0");
        settings.put(Games.class.getName() + "/LastGood/maxAge", "soon");
        settings.put("LastGood/maxSize", "3");
        assertThatThrownBy(() -> start(Games.class, Provider.class))
                .hasMessageContaining("DFB201")
                .hasMessageContaining("a whole number from 1 to 1000000")
                .hasMessageContaining("LastGood/maxAge")
                .hasMessageContaining("DFB202")
                .hasMessageContaining("LastGood/maxSize");
    }

    @ApplicationScoped
    static class Alone {
        @jakarta.inject.Inject
        private Provider provider;

        @LastGood
        @DistributedFallback(breaker = "alone")
        String search(String query) throws IOException {
            return provider.ask(query);
        }
    }

    @Test
    void without_a_fallback_a_miss_ends_as_it_would_without_it() throws Exception {
        Alone alone = start(Alone.class, Provider.class);
        alone.search("zelda");
        goDown();
        assertThat(alone.search("zelda")).isEqualTo("primary: zelda");
        assertThatThrownBy(() -> alone.search("mario"))
                .isInstanceOf(IOException.class)
                .hasMessage("HTTP 503")
                .hasNoSuppressedExceptions();
        forceOpen("alone");
        assertThat(alone.search("zelda")).isEqualTo("primary: zelda");
        assertThatThrownBy(() -> alone.search("mario")).isInstanceOf(BreakerOpenException.class);
    }

    @ApplicationScoped
    static class Keys {
        @jakarta.inject.Inject
        private Provider provider;

        @LastGood
        @DistributedFallback(breaker = "keys", fallbackMethod = "instead")
        String search(String trace, @CacheKey String query) throws IOException {
            return provider.ask(query);
        }

        @LastGood
        @DistributedFallback(breaker = "tenants", fallbackMethod = "insteadFor")
        String searchFor(@BreakerKey String tenant, @CacheKey String query, String trace) throws IOException {
            return provider.ask(tenant + " " + query);
        }

        String instead(String trace, @CacheKey String query) {
            return "fallback";
        }

        String insteadFor(String tenant, String query, String trace) {
            return "fallback";
        }
    }

    @Test
    void only_the_cache_keys_count_where_there_are_some() throws Exception {
        Keys keys = start(Keys.class, Provider.class);
        keys.search("t1", "zelda");
        goDown();
        assertThat(keys.search("t2", "zelda")).isEqualTo("primary: zelda");
        assertThat(keys.search("t1", "mario")).isEqualTo("fallback");
    }

    @Test
    void results_of_tenants_never_mix_though_no_cache_key_names_them() throws Exception {
        Keys keys = start(Keys.class, Provider.class);
        keys.searchFor("acme", "zelda", "t1");
        goDown();
        assertThat(keys.searchFor("acme", "zelda", "t2")).isEqualTo("primary: acme zelda");
        assertThat(keys.searchFor("zenith", "zelda", "t1")).isEqualTo("fallback");
    }

    @ApplicationScoped
    static class Changing {
        @jakarta.inject.Inject
        private Provider provider;

        @LastGood
        @DistributedFallback(breaker = "changing", fallbackMethod = "instead")
        String search(List<String> words) throws IOException {
            String asked = String.join(" ", words);
            words.clear();
            return provider.ask(asked);
        }

        String instead(List<String> words) {
            return "fallback";
        }
    }

    @Test
    void a_primary_that_changes_its_arguments_is_kept_under_what_it_was_called_with() throws Exception {
        Changing changing = start(Changing.class, Provider.class);
        changing.search(new ArrayList<>(List.of("zelda")));
        changing.search(new ArrayList<>());
        goDown();
        assertThat(changing.search(new ArrayList<>(List.of("zelda")))).isEqualTo("primary: zelda");
        assertThat(changing.search(new ArrayList<>(List.of("mario")))).isEqualTo("fallback");
    }

    @ApplicationScoped
    @LastGood
    @DistributedFallback(breaker = "whole", backup = Spare.class)
    static class Whole implements Catalogue {
        @jakarta.inject.Inject
        private Provider provider;

        @Override
        public Optional<String> find(String title) throws IOException {
            String found = provider.ask(title);
            return title.isEmpty() ? Optional.empty() : Optional.of(found);
        }

        @Override
        public String name(String title) throws IOException {
            provider.ask(title);
            return null;
        }

        @Override
        public void touch(String title) throws IOException {
            provider.ask(title);
        }
    }

    interface Catalogue {
        Optional<String> find(String title) throws IOException;

        String name(String title) throws IOException;

        void touch(String title) throws IOException;
    }

    @ApplicationScoped
    @Typed(Spare.class)
    static class Spare implements Catalogue {
        int touched;

        @Override
        public Optional<String> find(String title) {
            return Optional.of("spare");
        }

        @Override
        public String name(String title) {
            return "spare";
        }

        @Override
        public void touch(String title) {
            touched++;
        }

        int touched() {
            return touched;
        }
    }

    @Test
    void on_a_class_it_holds_for_all_that_return_something() throws Exception {
        startAll(Whole.class, Spare.class, Provider.class);
        Catalogue catalogue = container.select(Catalogue.class).get();
        assertThat(catalogue.find("")).isEmpty();
        assertThat(catalogue.name("zelda")).isNull();
        catalogue.touch("zelda");
        goDown();
        assertThat(catalogue.find("")).as("no game is a good result").isEmpty();
        assertThat(catalogue.find("mario")).contains("spare");
        assertThat(catalogue.name("zelda")).as("null is a good result").isNull();
        assertThat(catalogue.name("mario")).isEqualTo("spare");
        catalogue.touch("zelda");
        assertThat(container.select(Spare.class).get().touched()).isEqualTo(1);
    }

    @ApplicationScoped
    static class Later {
        private CompletableFuture<String> next = new CompletableFuture<>();

        @LastGood
        @DistributedFallback(breaker = "later", fallbackMethod = "insteadLater")
        CompletionStage<String> search(String query) {
            return next;
        }

        @LastGood
        @DistributedFallback(breaker = "future", fallbackMethod = "insteadFuture")
        Future<String> find(String query) {
            FutureTask<String> task = new FutureTask<>(next::join);
            if (next.isDone()) {
                task.run();
            }
            return task;
        }

        CompletionStage<String> insteadLater(String query) {
            return CompletableFuture.completedFuture("fallback");
        }

        Future<String> insteadFuture(String query) {
            return CompletableFuture.completedFuture("fallback");
        }

        void next(CompletableFuture<String> stage) {
            next = stage;
        }
    }

    @Test
    void of_a_stage_the_value_is_kept_and_each_caller_gets_a_stage_of_his_own() {
        Later later = start(Later.class);
        CompletableFuture<String> stage = new CompletableFuture<>();
        later.next(stage);
        CompletionStage<String> first = later.search("zelda");
        stage.complete("primary");
        assertThat(first.toCompletableFuture().join()).isEqualTo("primary");
        later.next(CompletableFuture.failedFuture(new IOException("HTTP 503")));
        assertThat(later.search("zelda").toCompletableFuture().join()).isEqualTo("primary");
        assertThat(later.search("mario").toCompletableFuture().join()).isEqualTo("fallback");
        forceOpen("later");
        CompletableFuture<String> one = later.search("zelda").toCompletableFuture();
        one.obtrudeValue("spoiled by one caller");
        assertThat(later.search("zelda").toCompletableFuture().join()).isEqualTo("primary");
        assertThat(later.search("mario").toCompletableFuture().join()).isEqualTo("fallback");
    }

    @Test
    void of_a_stage_the_value_is_kept_before_whoever_waits_for_it_is_told() {
        Later later = start(Later.class);
        CompletableFuture<String> stage = new CompletableFuture<>();
        later.next(stage);
        CompletionStage<String> again = later.search("zelda").thenCompose(first -> {
            later.next(CompletableFuture.failedFuture(new IOException("HTTP 503")));
            return later.search("zelda");
        });
        stage.complete("primary");
        assertThat(again.toCompletableFuture().join()).isEqualTo("primary");
    }

    @Test
    void cancelling_still_reaches_the_stage_of_the_primary() {
        Later later = start(Later.class);
        CompletableFuture<String> stage = new CompletableFuture<>();
        later.next(stage);
        assertThat(later.search("zelda").toCompletableFuture().cancel(true)).isTrue();
        assertThat(stage).isCancelled();
    }

    @Test
    void of_a_future_what_was_asked_for_is_kept() throws Exception {
        Later later = start(Later.class);
        later.next(CompletableFuture.completedFuture("primary"));
        assertThat(later.find("zelda").get()).isEqualTo("primary");
        later.next(CompletableFuture.failedFuture(new IOException("HTTP 503")));
        assertThat(later.find("zelda").get()).isEqualTo("primary");
        forceOpen("future");
        assertThat(later.find("zelda").get()).isEqualTo("primary");
        assertThat(later.find("mario").get()).isEqualTo("fallback");
    }

    record Unhashable(String text) {
        @Override
        public int hashCode() {
            throw new IllegalStateException("no hash");
        }

        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("no equals");
        }
    }

    @ApplicationScoped
    static class Strange {
        @jakarta.inject.Inject
        private Provider provider;

        @LastGood
        @DistributedFallback(breaker = "strange", fallbackMethod = "instead")
        String search(Unhashable query) throws IOException {
            return provider.ask(query.text());
        }

        String instead(Unhashable query) {
            return "fallback";
        }
    }

    @Test
    void arguments_that_cannot_be_compared_are_warned_of_once_and_calls_go_on() throws Exception {
        Strange strange = start(Strange.class, Provider.class);
        assertThat(strange.search(new Unhashable("zelda"))).isEqualTo("primary: zelda");
        goDown();
        assertThat(strange.search(new Unhashable("zelda"))).isEqualTo("fallback");
        assertThat(warnings.of("DFB424")).singleElement().asString().contains("Strange.search", "no hash");
    }

    @ApplicationScoped
    static class Nothing {
        @LastGood
        @DistributedFallback(breaker = "nothing", fallbackMethod = "instead")
        void send() {}

        @LastGood
        @DistributedFallback(breaker = "nothing", fallbackMethod = "insteadLater")
        CompletionStage<Void> sendLater() {
            return CompletableFuture.completedFuture(null);
        }

        void instead() {}

        CompletionStage<Void> insteadLater() {
            return sendLater();
        }
    }

    @Test
    void on_a_method_that_returns_nothing_it_is_a_definition_error() {
        assertThatThrownBy(() -> start(Nothing.class))
                .hasMessageContaining("2 problems")
                .hasMessageContaining("DFB122: a method that returns nothing has no last good result: "
                        + Nothing.class.getName() + ".send [void]")
                .hasMessageContaining("Nothing.sendLater [java.util.concurrent.CompletionStage<java.lang.Void>]");
    }

    @ApplicationScoped
    static class Once {
        @LastGood
        @DistributedFallback(breaker = "once")
        Stream<String> stream() {
            return Stream.of();
        }

        @LastGood
        @DistributedFallback(breaker = "once")
        CompletionStage<Optional<InputStream>> later() {
            return CompletableFuture.completedFuture(Optional.of(InputStream.nullInputStream()));
        }

        @LastGood
        @DistributedFallback(breaker = "once")
        Iterator<String> iterator() {
            return List.<String>of().iterator();
        }

        @LastGood
        @DistributedFallback(breaker = "once")
        jakarta.ws.rs.core.Response response() {
            return null;
        }

        @LastGood
        @DistributedFallback(breaker = "once")
        FutureTask<String> task() {
            return new FutureTask<>(() -> "");
        }
    }

    @Test
    void on_results_that_can_be_used_once_it_is_a_definition_error() {
        assertThatThrownBy(() -> start(Once.class))
                .hasMessageContaining("5 problems")
                .hasMessageContaining("DFB124: the result serves one caller only: " + Once.class.getName()
                        + ".stream [java.util.stream.Stream<java.lang.String>]");
    }

    @ApplicationScoped
    static class Unguarded {
        @LastGood
        String search(String query) {
            return query;
        }

        String find(@CacheKey String query) {
            return query;
        }

        @DistributedFallback(breaker = "unguarded")
        String guarded(@CacheKey String query) {
            return query;
        }
    }

    @ApplicationScoped
    @LastGood
    static class UnguardedClass {
        String search(String query) {
            return query;
        }
    }

    @Test
    void where_nothing_is_guarded_it_is_a_definition_error() {
        assertThatThrownBy(() -> start(Unguarded.class, UnguardedClass.class))
                .hasMessageContaining("4 problems")
                .hasMessageContaining(
                        "DFB123: no results are kept here: " + Unguarded.class.getName() + ".search [@LastGood]")
                .hasMessageContaining("Unguarded.find [@CacheKey]")
                .hasMessageContaining("Unguarded.guarded [@CacheKey]")
                .hasMessageContaining(UnguardedClass.class.getName() + " [@LastGood]");
    }

    interface Declared {
        @LastGood
        String search(@CacheKey String query, String trace);
    }

    @ApplicationScoped
    static class Declaring implements Declared {
        @Override
        @DistributedFallback(breaker = "declared")
        public String search(String query, String trace) {
            return query;
        }
    }

    @Test
    void where_cdi_does_not_see_it_a_warning_says_so() {
        start(Declared.class, Declaring.class);
        assertThat(warnings.of("DFB116"))
                .hasSize(2)
                .anyMatch(line -> line.contains(Declared.class.getName() + ".search [@LastGood]"))
                .anyMatch(line -> line.contains("[@CacheKey]. CDI inherits no annotation of a parameter"));
    }

    @ApplicationScoped
    @jakarta.ejb.Stateless
    static class Enterprise {
        @LastGood
        @DistributedFallback(breaker = "enterprise")
        String search(String query) {
            return query;
        }
    }

    @Test
    void an_enterprise_bean_whose_transaction_it_would_have_committed_is_warned_of() {
        start(Enterprise.class);
        assertThat(warnings.of("DFB117")).hasSize(1);
    }
}
