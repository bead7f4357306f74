package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;
import jakarta.inject.Qualifier;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code value}: a handler answers. */
class FallbackHandlersTest extends InWeld {

    private static final List<String> SEEN = new ArrayList<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    abstract static class Recording<T, R> implements FallbackHandler<R> {
        @PostConstruct
        void begin() {
            SEEN.add("made");
        }

        @PreDestroy
        void end() {
            SEEN.add("destroyed");
        }

        abstract R answer(T failure);

        @Override
        @SuppressWarnings("unchecked")
        public R handle(ExecutionContext context) {
            SEEN.add("handled");
            return answer((T) context.getFailure());
        }
    }

    static class PlainHandler extends Recording<IOException, String> {
        @Inject
        Phrase phrase;

        @Override
        String answer(IOException failure) {
            return phrase.of(failure);
        }
    }

    @Dependent
    static class Phrase {
        String of(Exception failure) {
            return "instead of " + failure.getMessage();
        }

        @PreDestroy
        void end() {
            SEEN.add("phrase destroyed");
        }
    }

    @ApplicationScoped
    static class ByPlainHandler {
        @DistributedFallback(PlainHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_handler_that_is_no_bean_is_made_injected_and_destroyed_for_each_call() throws Exception {
        ByPlainHandler bean = start(ByPlainHandler.class, Phrase.class);
        assertThat(bean.call()).isEqualTo("instead of HTTP 503");
        bean.call();
        assertThat(SEEN)
                .containsExactly(
                        "made",
                        "handled",
                        "destroyed",
                        "phrase destroyed",
                        "made",
                        "handled",
                        "destroyed",
                        "phrase destroyed");
    }

    @Test
    void a_handler_whose_type_comes_through_a_generic_superclass_fits_or_does_not() {
        assertThatThrownBy(() -> start(ByWrongHandler.class, Phrase.class))
                .hasMessageContaining("DFB103")
                .hasMessageContaining("It handles java.lang.String");
    }

    @ApplicationScoped
    static class ByWrongHandler {
        @DistributedFallback(PlainHandler.class)
        int call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Dependent
    static class DependentHandler extends Recording<IOException, String> {
        @Override
        String answer(IOException failure) {
            return "dependent";
        }
    }

    @ApplicationScoped
    static class ByDependentHandler {
        @DistributedFallback(DependentHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_dependent_handler_is_made_and_destroyed_for_each_call() throws Exception {
        ByDependentHandler bean = start(ByDependentHandler.class, DependentHandler.class);
        bean.call();
        bean.call();
        assertThat(SEEN).containsExactly("made", "handled", "destroyed", "made", "handled", "destroyed");
    }

    @Qualifier
    @Retention(RetentionPolicy.RUNTIME)
    @interface Quiet {}

    @ApplicationScoped
    @Quiet
    static class ScopedHandler extends Recording<IOException, String> {
        @Override
        String answer(IOException failure) {
            return "scoped";
        }
    }

    @ApplicationScoped
    static class ByScopedHandler {
        @DistributedFallback(ScopedHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_handler_bean_is_had_from_its_scope_whatever_its_qualifiers_are() throws Exception {
        ByScopedHandler bean = start(ByScopedHandler.class, ScopedHandler.class);
        assertThat(bean.call()).isEqualTo("scoped");
        bean.call();
        assertThat(SEEN).containsExactly("made", "handled", "handled");
    }

    @Dependent
    @Alternative
    @Priority(1)
    static class OtherHandler extends ScopedHandler {
        @Override
        String answer(IOException failure) {
            return "alternative";
        }
    }

    @Test
    void an_alternative_of_a_handler_stands_for_it() throws Exception {
        assertThat(start(ByScopedHandler.class, ScopedHandler.class, OtherHandler.class)
                        .call())
                .isEqualTo("alternative");
    }

    abstract static class AbstractHandler implements FallbackHandler<String> {}

    @Dependent
    static class OneHandler extends AbstractHandler {
        @Override
        public String handle(ExecutionContext context) {
            return "one";
        }
    }

    @Dependent
    static class AnotherHandler extends AbstractHandler {
        @Override
        public String handle(ExecutionContext context) {
            return "another";
        }
    }

    @ApplicationScoped
    static class ByAbstractHandler {
        @DistributedFallback(AbstractHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void an_abstract_handler_is_the_one_bean_below_it() throws Exception {
        assertThat(start(ByAbstractHandler.class, OneHandler.class).call()).isEqualTo("one");
    }

    @Test
    void an_ambiguous_handler_fails_the_deployment() {
        assertThatThrownBy(() -> start(ByAbstractHandler.class, OneHandler.class, AnotherHandler.class))
                .hasMessageContaining("DFB111")
                .hasMessageContaining("OneHandler")
                .hasMessageContaining("AnotherHandler");
    }

    @Test
    void an_abstract_handler_that_is_no_bean_fails_the_deployment() {
        assertThatThrownBy(() -> start(ByAbstractHandler.class))
                .hasMessageContaining("DFB111: the fallback handler cannot be had")
                .hasMessageContaining("ByAbstractHandler.call")
                .hasMessageContaining("it is abstract");
    }

    static class ArgumentHandler implements FallbackHandler<String> {
        ArgumentHandler(String argument) {
            SEEN.add(argument);
        }

        @Override
        public String handle(ExecutionContext context) {
            return "";
        }
    }

    @ApplicationScoped
    static class ByArgumentHandler {
        @DistributedFallback(ArgumentHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void a_handler_without_a_usable_constructor_fails_the_deployment() {
        assertThatThrownBy(() -> start(ByArgumentHandler.class))
                .hasMessageContaining("DFB111")
                .hasMessageContaining("no constructor without parameters");
    }

    @Test
    void a_handler_that_nothing_can_be_injected_into_fails_the_deployment() {
        assertThatThrownBy(() -> start(ByPlainHandler.class))
                .hasMessageContaining("DFB111")
                .hasMessageContaining("Phrase");
    }

    static class FailingHandler implements FallbackHandler<String> {
        @Override
        public String handle(ExecutionContext context) {
            throw new IllegalStateException("the handler is down as well");
        }
    }

    @ApplicationScoped
    static class ByFailingHandler {
        @DistributedFallback(breaker = "failing", value = FailingHandler.class)
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Test
    void the_exception_of_a_handler_is_suppressed_in_that_of_the_primary_and_is_the_callers_while_open() {
        ByFailingHandler bean = start(ByFailingHandler.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(bean::call)
                    .isInstanceOf(IOException.class)
                    .satisfies(failure -> assertThat(failure.getSuppressed())
                            .singleElement()
                            .asString()
                            .contains("the handler is down as well"));
        }
        assertThatThrownBy(bean::call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the handler is down as well");
    }

    @ApplicationScoped
    static class ByFailingMethod {
        @DistributedFallback(breaker = "failing", fallbackMethod = "instead")
        String call() throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead() throws IOException {
            throw new java.io.FileNotFoundException("the method is down as well");
        }
    }

    @Test
    void the_exception_of_a_method_is_suppressed_in_that_of_the_primary_and_is_the_callers_while_open() {
        ByFailingMethod bean = start(ByFailingMethod.class);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(bean::call)
                    .hasMessage("HTTP 503")
                    .satisfies(failure ->
                            assertThat(failure.getSuppressed()).singleElement().isInstanceOf(IOException.class));
        }
        assertThatThrownBy(bean::call)
                .isInstanceOf(java.io.FileNotFoundException.class)
                .hasMessage("the method is down as well");
    }
}
