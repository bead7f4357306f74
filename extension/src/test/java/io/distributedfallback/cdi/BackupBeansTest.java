package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.DistributedFallback;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Inject;
import jakarta.inject.Qualifier;
import jakarta.inject.Singleton;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code backup}: a second bean with the same type answers. */
class BackupBeansTest extends InWeld {

    interface Catalog {
        String search(String query) throws IOException;

        default String first() throws IOException {
            return search("first");
        }
    }

    @Dependent
    static class Visitor {
        @Inject
        Catalog catalog;
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "rawg", backup = Igdb.class)
    static class Rawg implements Catalog {
        int asked;

        @Override
        public String search(String query) throws IOException {
            asked++;
            throw new IOException("HTTP 503");
        }

        int asked() {
            return asked;
        }

        String ownToRawg() throws IOException {
            asked++;
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @Typed(Igdb.class)
    static class Igdb implements Catalog {
        @Override
        public String search(String query) {
            return query + " by igdb";
        }

        @Override
        public String first() {
            return "the first by igdb";
        }
    }

    @Test
    void callers_inject_the_interface_and_the_backup_answers() throws Exception {
        Visitor visitor = start(Visitor.class, Rawg.class, Igdb.class);
        for (int i = 0; i < 10; i++) {
            assertThat(visitor.catalog.search("q")).isEqualTo("q by igdb");
        }
        assertThat(container.select(Rawg.class).get().asked()).isEqualTo(3);
    }

    @Test
    void a_default_method_that_the_backup_overrides_is_called_there() throws Exception {
        assertThat(start(Visitor.class, Rawg.class, Igdb.class).catalog.first()).isEqualTo("the first by igdb");
    }

    @Test
    void a_method_that_the_backup_does_not_have_goes_straight_to_the_primary_and_a_warning_says_so() throws Exception {
        Visitor visitor = start(Visitor.class, Rawg.class, Igdb.class);
        for (int i = 0; i < 3; i++) {
            visitor.catalog.search("q");
        }
        Rawg rawg = container.select(Rawg.class).get();
        assertThatThrownBy(rawg::ownToRawg).isInstanceOf(IOException.class);
        assertThat(rawg.asked()).isEqualTo(4);
        assertThat(warnings.of("DFB115")).singleElement().asString().contains(Rawg.class.getName(), "asked, ownToRawg");
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Second {}

    @ApplicationScoped
    static class OneMethod implements Catalog {
        @Override
        @DistributedFallback(breaker = "one", backup = Qualified.class)
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Singleton
    @Second
    static class Qualified implements Catalog {
        @Override
        public String search(String query) {
            return "qualified";
        }
    }

    @Test
    void a_backup_with_a_qualifier_is_found_by_its_class() throws Exception {
        assertThat(start(Visitor.class, OneMethod.class, Qualified.class)
                        .catalog
                        .search("q"))
                .isEqualTo("qualified");
    }

    @ApplicationScoped
    static class Plain implements Catalog {
        @Override
        public String search(String query) {
            return "plain";
        }
    }

    @ApplicationScoped
    @Alternative
    @Priority(1)
    @DistributedFallback(backup = Plain.class)
    static class Preferred implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_guarded_bean_may_be_an_alternative_that_is_preferred_to_its_backup() throws Exception {
        assertThat(start(Visitor.class, Preferred.class, Plain.class).catalog.search("q"))
                .isEqualTo("plain");
    }

    @ApplicationScoped
    @Alternative
    @Priority(1)
    static class Stub extends Igdb {
        @Override
        public String search(String query) {
            return "stub";
        }
    }

    @Test
    void an_alternative_of_the_backup_stands_for_it() throws Exception {
        assertThat(start(Rawg.class, Igdb.class, Stub.class).search("q")).isEqualTo("stub");
    }

    @ApplicationScoped
    static class Below extends Igdb {}

    @Test
    void the_bean_of_the_class_comes_before_one_of_a_subclass() throws Exception {
        assertThat(start(Rawg.class, Igdb.class, Below.class).search("q")).isEqualTo("q by igdb");
    }

    interface Source<K, V> {
        V find(K key) throws IOException;
    }

    abstract static class Base<T> implements Source<T, List<T>> {
        @Override
        public List<T> find(T key) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "generic", backup = TextBackup.class)
    static class TextSource extends Base<String> {}

    @ApplicationScoped
    static class TextBackup implements Source<String, List<String>> {
        @Override
        public List<String> find(String key) {
            return List.of(key);
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "generic", backup = TextBackup.class)
    static class NumberSource implements Source<Integer, List<Integer>> {
        @Override
        public List<Integer> find(Integer key) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void type_variables_are_resolved_on_both_sides() throws Exception {
        Source<String, List<String>> source = start(TextSource.class, TextBackup.class);
        assertThat(source.find("q")).containsExactly("q");
        assertThat(failuresOf("generic")).isEqualTo(1);
    }

    @Test
    void other_type_arguments_are_another_type() {
        assertThatThrownBy(() -> start(NumberSource.class, TextBackup.class))
                .hasMessageContaining("DFB114")
                .hasMessageContaining(Source.class.getName());
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "first", backup = SecondProvider.class)
    static class FirstProvider implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("first is down");
        }
    }

    @ApplicationScoped
    @Second
    @DistributedFallback(breaker = "second", backup = ThirdProvider.class)
    static class SecondProvider implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("second is down");
        }
    }

    @ApplicationScoped
    @Second
    static class ThirdProvider implements Catalog {
        static boolean down;

        @Override
        public String search(String query) {
            if (down) {
                throw new UncheckedIOException(new IOException("third is down"));
            }
            return "third";
        }
    }

    @Test
    void a_backup_may_be_guarded_by_another_breaker_and_have_a_backup_in_its_turn() throws Exception {
        Visitor visitor = start(Visitor.class, FirstProvider.class, SecondProvider.class, ThirdProvider.class);
        for (int i = 0; i < 10; i++) {
            assertThat(visitor.catalog.search("q")).isEqualTo("third");
        }
        assertThat(failuresOf("first")).isEqualTo(3);
        assertThat(failuresOf("second")).isEqualTo(3);
    }

    @Test
    void if_a_whole_chain_fails_the_caller_gets_the_failure_of_the_first_with_the_others_suppressed() {
        Visitor visitor = start(Visitor.class, FirstProvider.class, SecondProvider.class, ThirdProvider.class);
        ThirdProvider.down = true;
        try {
            assertThatThrownBy(() -> visitor.catalog.search("q"))
                    .hasMessage("first is down")
                    .satisfies(first -> assertThat(first.getSuppressed())
                            .singleElement()
                            .satisfies(second -> assertThat(second)
                                    .hasMessage("second is down")
                                    .extracting(Throwable::getSuppressed)
                                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.ARRAY)
                                    .singleElement()
                                    .hasToString("java.io.UncheckedIOException: java.io.IOException: third is down")));
        } finally {
            ThirdProvider.down = false;
        }
    }

    abstract static class Hidden {
        abstract String find(String query) throws IOException;

        protected String findProtected(String query) throws IOException {
            return find(query);
        }
    }

    @ApplicationScoped
    @DistributedFallback(backup = HiddenBackup.class)
    static class HiddenPrimary extends Hidden {
        @Override
        String find(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    static class HiddenBackup extends Hidden {
        @Override
        String find(String query) {
            return "hidden " + query;
        }
    }

    @Test
    void a_superclass_and_what_is_not_public_will_do_for_the_type_in_common() throws Exception {
        HiddenPrimary primary = start(HiddenPrimary.class, HiddenBackup.class);
        assertThat(primary.find("q")).isEqualTo("hidden q");
        assertThat(primary.findProtected("q")).isEqualTo("hidden q");
    }

    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @interface Shouted {}

    @Shouted
    @Interceptor
    @Priority(1)
    static class Shouting {
        @AroundInvoke
        Object shout(InvocationContext call) throws Exception {
            return call.proceed() + "!";
        }
    }

    @ApplicationScoped
    static class QuietPrimary implements Catalog {
        @Override
        @DistributedFallback(backup = LoudBackup.class)
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @RequestScoped
    @Second
    static class LoudBackup implements Catalog {
        @Override
        @Shouted
        public String search(String query) {
            return "loud";
        }
    }

    @Test
    void the_interceptors_and_the_scope_of_the_backup_are_its_own() throws Exception {
        Catalog catalog = start(QuietPrimary.class, LoudBackup.class, Shouting.class);
        var request = container
                .select(jakarta.enterprise.context.control.RequestContextController.class)
                .get();
        request.activate();
        assertThat(catalog.search("q")).isEqualTo("loud!");
        request.deactivate();
    }

    interface Slow {
        CompletionStage<String> ask();
    }

    @ApplicationScoped
    @DistributedFallback(backup = DependentBackup.class)
    static class StagedPrimary implements Slow {
        @Override
        public CompletionStage<String> ask() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }
    }

    @Dependent
    @Second
    static class DependentBackup implements Slow {
        static final AtomicInteger DESTROYED = new AtomicInteger();
        static CompletableFuture<String> answer;

        @Override
        public CompletionStage<String> ask() {
            return answer;
        }

        @PreDestroy
        void end() {
            DESTROYED.incrementAndGet();
        }
    }

    @Test
    void a_dependent_backup_lives_until_the_stage_that_it_returned_has_completed() {
        DependentBackup.answer = new CompletableFuture<>();
        DependentBackup.DESTROYED.set(0);
        CompletionStage<String> stage =
                start(StagedPrimary.class, DependentBackup.class).ask();
        assertThat(DependentBackup.DESTROYED).hasValue(0);
        DependentBackup.answer.complete("late");
        assertThat(stage.toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo("late");
        assertThat(DependentBackup.DESTROYED).hasValue(1);
    }

    @Test
    void cancelling_the_outcome_cancels_the_stage_of_a_dependent_backup_and_lets_go_of_it() {
        DependentBackup.answer = new CompletableFuture<>();
        DependentBackup.DESTROYED.set(0);
        start(StagedPrimary.class, DependentBackup.class)
                .ask()
                .toCompletableFuture()
                .cancel(true);
        assertThat(DependentBackup.answer).isCancelled();
        assertThat(DependentBackup.DESTROYED).hasValue(1);
    }

    @Test
    void the_configuration_may_name_the_backup() throws Exception {
        settings.put(Bare.class.getName() + "/DistributedFallback/backup", Igdb.class.getName());
        assertThat(start(Bare.class, Igdb.class).search("q")).isEqualTo("q by igdb");
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "bare")
    static class Bare implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void without_a_backup_the_open_breaker_rejects() {
        Bare bare = start(Bare.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> bare.search("q")).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> bare.search("q")).isInstanceOf(BreakerOpenException.class);
    }

    @Test
    void a_backup_that_is_no_bean_fails_the_deployment_once_for_the_class() {
        assertThatThrownBy(() -> start(Rawg.class))
                .hasMessageContaining("found 1 problem ")
                .hasMessageContaining("DFB112")
                .hasMessageContaining(Rawg.class.getName() + " (@DistributedFallback on " + Rawg.class.getName() + ")")
                .hasMessageContaining("[backup = " + Igdb.class.getName() + "]");
    }

    @ApplicationScoped
    @DistributedFallback(backup = Catalog.class)
    static class Undecided implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void an_interface_names_the_one_other_bean_that_has_it() throws Exception {
        assertThat(start(Undecided.class, Plain.class).search("q")).isEqualTo("plain");
    }

    @Test
    void several_beans_that_could_be_meant_fail_the_deployment() {
        assertThatThrownBy(() -> start(Undecided.class, Plain.class, Qualified.class))
                .hasMessageContaining("DFB112")
                .hasMessageContaining(Plain.class.getName())
                .hasMessageContaining(Qualified.class.getName());
    }

    @ApplicationScoped
    @DistributedFallback(backup = Myself.class)
    static class Myself implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_bean_that_names_itself_fails_the_deployment() {
        assertThatThrownBy(() -> start(Myself.class))
                .hasMessageContaining("DFB113")
                .hasMessageContaining(Myself.class.getName());
    }

    @ApplicationScoped
    @DistributedFallback(backup = Tail.class)
    static class Head implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @Second
    @DistributedFallback(backup = Head.class)
    static class Tail implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void beans_that_back_each_other_fail_the_deployment() {
        assertThatThrownBy(() -> start(Head.class, Tail.class))
                .hasMessageContaining("DFB113")
                .hasMessageContaining(Head.class.getName() + " -> " + Tail.class.getName() + " -> ");
    }

    @ApplicationScoped
    static class NotACatalog {
        public String search(String query) {
            return query;
        }
    }

    @ApplicationScoped
    static class Mismatched {
        @DistributedFallback(backup = NotACatalog.class)
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void the_same_name_without_a_type_in_common_fails_the_deployment() {
        assertThatThrownBy(() -> start(Mismatched.class, NotACatalog.class))
                .hasMessageContaining("DFB114")
                .hasMessageContaining("Mismatched.search")
                .hasMessageContaining("They have no type in common");
    }

    @ApplicationScoped
    @DistributedFallback(backup = FinalBackup.class)
    static class OfFinal implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @Typed(FinalBackup.class)
    static final class FinalBackup implements Catalog {
        @Override
        public String search(String query) {
            return "final";
        }
    }

    @Test
    void a_backup_that_can_have_no_proxy_fails_the_deployment() {
        assertThatThrownBy(() -> start(OfFinal.class, FinalBackup.class))
                .hasMessageContaining("DFB112")
                .hasMessageContaining("FinalBackup");
    }

    @ApplicationScoped
    static class Both implements Catalog {
        @Override
        @DistributedFallback(backup = Igdb.class, fallbackMethod = "first")
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_backup_beside_a_fallback_method_fails_the_deployment() {
        assertThatThrownBy(() -> start(Both.class, Igdb.class))
                .hasMessageContaining("DFB101")
                .hasMessageContaining("fallbackMethod = first, backup = " + Igdb.class.getName());
    }
}
