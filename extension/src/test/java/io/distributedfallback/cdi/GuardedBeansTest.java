package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Breakers;
import io.distributedfallback.Classification;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FailureClassifier;
import io.distributedfallback.FailureKind;
import io.distributedfallback.Probe;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.context.SessionScoped;
import jakarta.enterprise.inject.Stereotype;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The annotation on real beans in Weld, with breakers in memory. What needs a server is tested on one. */
class GuardedBeansTest {

    private final Map<String, String> settings = new HashMap<>(Map.of("distributed-fallback.store", "memory"));
    private WeldContainer container;
    private Config config;

    private <T> T start(Class<T> bean, Class<?>... more) {
        config = new SmallRyeConfigBuilder()
                .withSources(new io.smallrye.config.PropertiesConfigSource(settings, "test", 100))
                .build();
        ConfigProviderResolver.instance()
                .registerConfig(config, Thread.currentThread().getContextClassLoader());
        container = new Weld()
                .disableDiscovery()
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(DistributedFallbackInterceptor.class, bean)
                .addBeanClasses(more)
                .initialize();
        return container.select(bean).get();
    }

    @AfterEach
    void stop() {
        if (container != null) {
            container.close();
        }
        if (config != null) {
            ConfigProviderResolver.instance().releaseConfig(config);
        }
    }

    @ApplicationScoped
    static class Games {
        int asked;

        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String search(String query) throws IOException {
            asked++;
            throw new IOException("HTTP 503");
        }

        @SuppressWarnings("UnusedMethod") // by name
        private String instead(String query, Throwable why) {
            return query + " because of " + why.getClass().getSimpleName();
        }

        int asked() {
            return asked;
        }
    }

    @Test
    void a_private_fallback_method_answers_and_gets_the_failure_or_the_rejection() throws Exception {
        Games games = start(Games.class);
        for (int i = 0; i < 3; i++) {
            assertThat(games.search("q")).isEqualTo("q because of IOException");
        }
        assertThat(games.search("q")).isEqualTo("q because of BreakerOpenException");
        assertThat(games.asked()).isEqualTo(3);
    }

    @Test
    void the_breakers_bean_knows_the_same_breaker() throws Exception {
        Games games = start(Games.class);
        Breakers breakers = container.select(Breakers.class).get();
        games.search("q");
        assertThat(breakers.get("rawg").status().standing().consecutiveFailures())
                .isEqualTo(1);
        assertThat(breakers.all()).extracting(breaker -> breaker.name()).containsExactly("rawg");
        assertThat(breakers.get("rawg").call(() -> "works", () -> "fallback")).isEqualTo("works");
        assertThat(breakers.get("rawg").status().standing().consecutiveFailures())
                .isZero();
    }

    @Dependent
    @DistributedFallback(fallbackMethod = "instead")
    static class WholeClass {
        String one() throws IOException {
            throw new IOException("HTTP 503");
        }

        String other() throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead() {
            return "fallback";
        }

        @DistributedFallback(breaker = "of its own")
        String own() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void an_annotation_on_a_class_guards_its_methods_with_one_breaker_named_after_it() throws Exception {
        WholeClass bean = start(WholeClass.class);
        bean.one();
        bean.other();
        Breakers breakers = container.select(Breakers.class).get();
        assertThat(breakers.get(WholeClass.class.getName()).status().standing().consecutiveFailures())
                .isEqualTo(2);
    }

    @Test
    void a_method_that_is_the_fallback_of_its_class_answers_while_the_breaker_is_open() throws Exception {
        WholeClass bean = start(WholeClass.class);
        for (int i = 0; i < 10; i++) {
            assertThat(bean.one()).isEqualTo("fallback");
        }
        assertThat(bean.instead()).isEqualTo("fallback");
    }

    @Test
    void an_annotation_on_the_method_replaces_the_one_on_the_class() {
        WholeClass bean = start(WholeClass.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(bean::own).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(bean::own).isInstanceOfSatisfying(BreakerOpenException.class, open -> {
            assertThat(open.breaker()).isEqualTo("of its own");
            assertThat(open.retryAfter()).isPositive();
        });
    }

    @DistributedFallback(breaker = "stereotyped")
    @Stereotype
    @Retention(RetentionPolicy.RUNTIME)
    @interface Guarded {}

    @ApplicationScoped
    @Guarded
    static class Stereotyped {
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }

        @Probe("stereotyped")
        boolean probe() {
            return true;
        }
    }

    @Test
    void a_stereotype_carries_the_annotation_and_a_probe_is_not_guarded() {
        Stereotyped bean = start(Stereotyped.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(bean::call).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(bean::call).isInstanceOf(BreakerOpenException.class);
        assertThat(bean.probe()).isTrue();
    }

    @Dependent
    static class Handler implements FallbackHandler<String> {
        @Inject
        Collaborator collaborator;

        @Override
        public String handle(ExecutionContext context) {
            return collaborator.say(context.getMethod().getName()
                    + context.getParameters()[0]
                    + context.getFailure().getClass().getSimpleName());
        }
    }

    @Dependent
    static class Collaborator {
        String say(String text) {
            return "handled " + text;
        }
    }

    @ApplicationScoped
    static class Handled {
        @DistributedFallback(Handler.class)
        String call(int argument) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_handler_that_is_a_bean_answers() throws Exception {
        assertThat(start(Handled.class, Handler.class, Collaborator.class).call(7))
                .isEqualTo("handled call7IOException");
    }

    @Test
    void a_handler_that_is_no_bean_is_created_and_injected() throws Exception {
        assertThat(start(Handled.class, Collaborator.class).call(7)).isEqualTo("handled call7IOException");
    }

    @ApplicationScoped
    static class Staged {
        @DistributedFallback(breaker = "staged", fallbackMethod = "instead")
        CompletionStage<String> call() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        CompletionStage<String> instead() {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    @Test
    void the_outcome_of_a_method_that_returns_a_stage_is_that_of_the_stage() {
        Staged bean = start(Staged.class);
        assertThat(bean.call().toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo("fallback");
        assertThat(container
                        .select(Breakers.class)
                        .get()
                        .get("staged")
                        .status()
                        .standing()
                        .consecutiveFailures())
                .isEqualTo(1);
    }

    @Test
    void a_breaker_taken_away_by_configuration_leaves_the_fallback() throws Exception {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Games games = start(Games.class);
        for (int i = 0; i < 10; i++) {
            assertThat(games.search("q")).isEqualTo("q because of IOException");
        }
        assertThat(games.asked()).isEqualTo(10);
    }

    @Test
    void a_breaker_taken_away_leaves_the_fallback_of_a_stage_as_well() {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Staged bean = start(Staged.class);
        for (int i = 0; i < 10; i++) {
            assertThat(bean.call().toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(5))
                    .isEqualTo("fallback");
        }
        assertThat(container.select(Breakers.class).get().get("staged").isOpen())
                .isFalse();
    }

    @Test
    void a_guard_switched_off_by_configuration_is_as_if_it_were_not_there() {
        settings.put(Games.class.getName() + "/search/DistributedFallback/enabled", "false");
        Games games = start(Games.class);
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> games.search("q")).isInstanceOf(IOException.class);
        }
        assertThat(games.asked()).isEqualTo(10);
    }

    @ApplicationScoped
    @Priority(1)
    static class First implements FailureClassifier {
        @Override
        public Optional<Classification> classify(Throwable failure) {
            return Optional.of(Classification.of(FailureKind.LOCAL));
        }
    }

    @ApplicationScoped
    @Priority(2)
    static class Second implements FailureClassifier {
        @Override
        public Optional<Classification> classify(Throwable failure) {
            throw new IllegalStateException("asked second, and only if the first has no opinion");
        }
    }

    @Test
    void classifier_beans_are_asked_in_the_order_of_their_priority() throws Exception {
        Games games = start(Games.class, Second.class, First.class);
        for (int i = 0; i < 10; i++) {
            games.search("q");
        }
        assertThat(games.asked()).isEqualTo(10);
    }

    @Test
    void all_problems_of_a_deployment_come_in_one_message() {
        settings.put("distributed-fallback.breaker.rawg.failure-treshold", "3");
        settings.put("distributed-fallback.default.probe-interval", "-5s");
        assertThatThrownBy(() -> start(Broken.class))
                .hasMessageContaining("5 problems")
                .hasMessageContaining("DFB102")
                .hasMessageContaining("DFB104")
                .hasMessageContaining("DFB107")
                .hasMessageContaining("DFB201")
                .hasMessageContaining("DFB202");
    }

    @ApplicationScoped
    static class Broken {
        @DistributedFallback(breaker = "rawg", fallbackMethod = "absent")
        String call() {
            return "";
        }

        @DistributedFallback(breaker = "rawg")
        static String fixed() {
            return "";
        }

        @Probe("rwag")
        void probe() {}
    }

    static class Shelf<T> {
        @DistributedFallback(breaker = "generic", fallbackMethod = "instead")
        public T find(T id) throws IOException {
            throw new IOException("HTTP 503");
        }

        public T instead(T id) {
            return id;
        }
    }

    @ApplicationScoped
    static class Books extends Shelf<String> {
        @Override
        @DistributedFallback(breaker = "overriding", fallbackMethod = "titled")
        public String find(String id) throws IOException {
            throw new IOException("HTTP 503");
        }

        String titled(String id) {
            return "title of " + id;
        }
    }

    @ApplicationScoped
    static class Records extends Shelf<String> {}

    @Test
    void a_guarded_method_of_a_generic_superclass_is_guarded_where_it_is_overridden_and_where_it_is_not()
            throws Exception {
        Books books = start(Books.class, Records.class);
        assertThat(books.find("b")).isEqualTo("title of b");
        assertThat(((Shelf<String>) books).find("b")).isEqualTo("title of b");
        assertThat(container.select(Records.class).get().find("r")).isEqualTo("r");
        assertThat(failuresOf("overriding")).isEqualTo(2);
        assertThat(failuresOf("generic")).isEqualTo(1);
    }

    private int failuresOf(String breaker) {
        return container
                .select(Breakers.class)
                .get()
                .get(breaker)
                .status()
                .standing()
                .consecutiveFailures();
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "besides")
    static class FallbackBesides {
        @Fallback(fallbackMethod = "instead")
        String call() {
            return "primary";
        }

        String instead() {
            return "fallback";
        }
    }

    @Test
    void the_fallback_of_microprofile_on_a_method_of_a_guarded_class_is_a_definition_error() {
        assertThatThrownBy(() -> start(FallbackBesides.class))
                .hasMessageContaining("DFB105")
                .hasMessageContaining("FallbackBesides.call")
                .hasMessageNotContaining("FallbackBesides.instead");
    }

    @ApplicationScoped
    static class Promised {
        @DistributedFallback(breaker = "promised", fallbackMethod = "instead")
        Future<String> call() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        Future<String> instead(Throwable why) {
            return CompletableFuture.completedFuture("because of " + why.getMessage());
        }
    }

    @Test
    void the_outcome_of_a_method_that_returns_a_future_is_that_of_the_future() throws Exception {
        assertThat(start(Promised.class).call().get()).isEqualTo("because of HTTP 503");
        assertThat(failuresOf("promised")).isEqualTo(1);
    }

    @RequestScoped
    static class Visit {
        String name() {
            return "visit";
        }
    }

    @ApplicationScoped
    static class StagedForVisitors {
        @Inject
        Visit visit;

        @DistributedFallback(breaker = "visited", fallbackMethod = "instead")
        CompletionStage<String> call() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }

        CompletionStage<String> instead() {
            return CompletableFuture.completedFuture(visit.name());
        }
    }

    @Test
    void the_fallback_of_a_stage_runs_within_a_request_context() {
        assertThat(start(StagedForVisitors.class, Visit.class).call().toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(5))
                .isEqualTo("visit");
    }

    static class Hidden {
        @DistributedFallback(breaker = "hidden", fallbackMethod = "instead")
        public String ask() throws IOException {
            throw new IOException("HTTP 503");
        }

        public String instead() {
            return "fallback";
        }
    }

    @ApplicationScoped
    public static class Shown extends Hidden {}

    @Test
    void a_public_method_that_a_class_inherits_from_one_that_is_not_public_is_guarded() throws Exception {
        assertThat(start(Shown.class).ask()).isEqualTo("fallback");
        assertThat(failuresOf("hidden")).isEqualTo(1);
    }

    static class Veiled {
        public String ask() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "veiled")
    public static class Unveiled extends Veiled {}

    @Test
    void an_annotation_on_a_class_guards_what_it_inherits_from_one_that_is_not_public() {
        Unveiled bean = start(Unveiled.class);
        assertThatThrownBy(bean::ask).isInstanceOf(IOException.class);
        assertThat(failuresOf("veiled")).isEqualTo(1);
    }

    @Dependent
    static class Texts implements FallbackHandler<String> {
        @Override
        public String handle(ExecutionContext context) {
            return "handled";
        }
    }

    @ApplicationScoped
    @DistributedFallback(value = Texts.class, breaker = "lively")
    static class Lively {
        boolean begun;

        @PostConstruct
        void begin() {
            begun = true;
        }

        @Inject
        void take(Collaborator collaborator) {
            begun = collaborator == null;
        }

        String call() throws IOException {
            throw new IOException("HTTP 503 " + begun);
        }
    }

    @Test
    void what_the_container_calls_to_make_a_bean_is_not_guarded_by_an_annotation_on_the_class() throws Exception {
        assertThat(start(Lively.class, Texts.class, Collaborator.class).call()).isEqualTo("handled");
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "general")
    static class General {
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "special")
    static class Special extends General {}

    @Test
    void a_guard_switched_off_on_a_subclass_does_not_give_way_to_that_of_the_superclass() {
        settings.put(Special.class.getName() + "/DistributedFallback/enabled", "false");
        Special bean = start(Special.class, General.class);
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(bean::call).isExactlyInstanceOf(IOException.class);
        }
        assertThat(failuresOf("general")).isZero();
    }

    static final class Promise extends CompletableFuture<String> {}

    @ApplicationScoped
    static class Promising {
        @DistributedFallback(breaker = "promising")
        Promise call() {
            return new Promise();
        }
    }

    @Test
    void a_stage_of_a_type_of_its_own_is_returned_as_it_is() {
        assertThat(start(Promising.class).call()).isInstanceOf(Promise.class);
    }

    static class Kept<T> {
        @DistributedFallback(breaker = "kept")
        public T call() {
            return failed();
        }

        T failed() {
            return null;
        }
    }

    @ApplicationScoped
    static class KeptStage extends Kept<CompletionStage<String>> {
        @Override
        CompletionStage<String> failed() {
            return CompletableFuture.failedFuture(new IOException("HTTP 503"));
        }
    }

    @Test
    void a_stage_that_stands_for_a_type_variable_is_seen_to_its_end() {
        KeptStage bean = start(KeptStage.class);
        assertThat(bean.call().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(IOException.class);
        assertThat(failuresOf("kept")).isEqualTo(1);
    }

    @SessionScoped
    static class OfASession implements Serializable {
        private static final long serialVersionUID = 1L;

        @DistributedFallback(breaker = "session")
        String call() {
            return "primary";
        }
    }

    @Test
    void a_bean_of_a_session_can_be_guarded() {
        start(OfASession.class);
        assertThat(container.select(Breakers.class).get().get("session").isOpen())
                .isFalse();
    }
}
