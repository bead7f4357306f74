package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.annotation.Priority;
import jakarta.decorator.Decorator;
import jakarta.decorator.Delegate;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Stereotype;
import jakarta.enterprise.inject.Vetoed;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InterceptorBinding;
import jakarta.interceptor.InvocationContext;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Where the annotation stands, and what it does there. */
class AnnotationPlacesTest extends InWeld {

    private static IOException down() {
        return new IOException("HTTP 503");
    }

    static class Base {
        @DistributedFallback(breaker = "base", fallbackMethod = "instead")
        String inherited() throws IOException {
            throw down();
        }

        @DistributedFallback(breaker = "base", fallbackMethod = "instead")
        String overridden() throws IOException {
            throw down();
        }

        @DistributedFallback(breaker = "base", fallbackMethod = "instead")
        String annotatedAgain() throws IOException {
            throw down();
        }

        String instead() {
            return "base";
        }
    }

    @Dependent
    static class Derived extends Base {
        @Override
        String overridden() throws IOException {
            throw down();
        }

        @Override
        @DistributedFallback(breaker = "derived", fallbackMethod = "instead")
        String annotatedAgain() throws IOException {
            throw down();
        }

        @Override
        String instead() {
            return "derived";
        }
    }

    @Test
    void an_inherited_method_is_guarded_and_a_fallback_that_is_overridden_answers() throws Exception {
        Derived bean = start(Derived.class);
        assertThat(bean.inherited()).isEqualTo("derived");
        assertThat(failuresOf("base")).isEqualTo(1);
    }

    @Test
    void an_override_without_the_annotation_is_not_guarded() {
        Derived bean = start(Derived.class);
        assertThatThrownBy(bean::overridden).isInstanceOf(IOException.class);
        assertThat(failuresOf("base")).isZero();
    }

    @Test
    void an_override_with_an_annotation_of_its_own_is_guarded_by_that() throws Exception {
        assertThat(start(Derived.class).annotatedAgain()).isEqualTo("derived");
        assertThat(failuresOf("derived")).isEqualTo(1);
        assertThat(failuresOf("base")).isZero();
    }

    @DistributedFallback(breaker = "broken", fallbackMethod = "absent")
    static class BrokenBase {
        String call() {
            return "";
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "whole", fallbackMethod = "instead")
    static class WholeOfAnother extends BrokenBase {
        @Override
        String call() {
            return "own";
        }

        String instead() {
            return "";
        }
    }

    @Test
    void an_annotation_on_a_class_replaces_the_one_that_it_would_inherit() {
        assertThat(start(WholeOfAnother.class).call()).isEqualTo("own");
    }

    @DistributedFallback(breaker = "inherited class", fallbackMethod = "instead")
    static class WholeBase {
        String instead() {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class WholeDerived extends WholeBase {
        String call() throws IOException {
            throw down();
        }
    }

    @Test
    void an_annotation_on_a_superclass_guards_the_methods_of_the_subclass() throws Exception {
        assertThat(start(WholeDerived.class).call()).isEqualTo("fallback");
        assertThat(failuresOf("inherited class")).isEqualTo(1);
    }

    interface WithDefault {
        @DistributedFallback(breaker = "default", fallbackMethod = "instead")
        default String call() throws IOException {
            throw down();
        }

        default String instead() {
            return "by default";
        }
    }

    @ApplicationScoped
    static class OfDefault implements WithDefault {}

    @Test
    void a_default_method_of_an_interface_is_guarded() throws Exception {
        assertThat(start(OfDefault.class).call()).isEqualTo("by default");
        assertThat(warnings.of("DFB116")).isEmpty();
    }

    @InterceptorBinding
    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {}

    @Marked
    @Interceptor
    @Priority(50)
    static class Outer {
        @AroundInvoke
        Object mark(InvocationContext call) throws Exception {
            return "outer(" + call.proceed() + ")";
        }
    }

    @Marked
    @Interceptor
    @Priority(300)
    static class Inner {
        @AroundInvoke
        Object mark(InvocationContext call) throws Exception {
            try {
                return "inner(" + call.proceed() + ")";
            } catch (IOException e) {
                throw new IOException("inner(" + e.getMessage() + ")", e);
            }
        }
    }

    interface Shop {
        String open(String by) throws IOException;
    }

    @Decorator
    @Priority(1)
    static class Polite implements Shop {
        @Inject
        @Delegate
        @Any
        Shop shop;

        @Override
        public String open(String by) throws IOException {
            return "please " + shop.open(by);
        }
    }

    @ApplicationScoped
    static class CornerShop implements Shop {
        @Marked
        @DistributedFallback(breaker = "shop", fallbackMethod = "instead")
        @Override
        public String open(String by) throws IOException {
            if (by.equals("nobody")) {
                throw down();
            }
            return "open";
        }

        String instead(String by, Exception failure) {
            return by + ": " + failure.getMessage();
        }
    }

    @Test
    void other_interceptors_and_decorators_stand_where_their_priorities_put_them() throws Exception {
        Shop shop = start(CornerShop.class, Outer.class, Inner.class, Polite.class);
        assertThat(shop.open("me")).isEqualTo("outer(inner(please open))");
        assertThat(shop.open("nobody")).isEqualTo("outer(nobody: inner(HTTP 503))");
    }

    @ApplicationScoped
    static class Listening {
        static String answered;

        @DistributedFallback(breaker = "observer", fallbackMethod = "instead")
        void heard(@Observes String event) throws IOException {
            throw down();
        }

        void instead(String event) {
            answered = event;
        }
    }

    @Test
    void an_observer_is_guarded() {
        startAll(Listening.class);
        container.getBeanManager().getEvent().fire("hello");
        assertThat(Listening.answered).isEqualTo("hello");
    }

    @Vetoed
    static class Product {
        @DistributedFallback(breaker = "product", fallbackMethod = "instead")
        String call() throws IOException {
            throw down();
        }

        String instead() {
            return "fallback";
        }
    }

    @Dependent
    static class ProductFactory {
        @Produces
        @ApplicationScoped
        Product product(InterceptionFactory<Product> factory) {
            return factory.createInterceptedInstance(new Product());
        }
    }

    @Test
    void what_a_producer_makes_with_an_interception_factory_is_guarded() throws Exception {
        startAll(ProductFactory.class);
        assertThat(container.select(Product.class).get().call()).isEqualTo("fallback");
        assertThat(failuresOf("product")).isEqualTo(1);
    }

    @Vetoed
    static class BrokenProduct {
        @DistributedFallback(fallbackMethod = "absent")
        String call() {
            return "";
        }
    }

    @Dependent
    static class BrokenProductFactory {
        @Produces
        BrokenProduct product(InterceptionFactory<BrokenProduct> factory) {
            return factory.createInterceptedInstance(new BrokenProduct());
        }
    }

    @Test
    void a_mistake_in_what_such_a_producer_makes_fails_the_deployment() {
        assertThatThrownBy(() -> startAll(BrokenProductFactory.class))
                .hasMessageContaining("DFB102")
                .hasMessageContaining("BrokenProduct.call");
    }

    @Vetoed
    static class Foreign {
        String call() throws IOException {
            throw down();
        }

        String instead() {
            return "fallback";
        }
    }

    @Dependent
    static class ForeignFactory {
        static String fallback = "instead";

        @Produces
        @ApplicationScoped
        Foreign foreign(InterceptionFactory<Foreign> factory) throws NoSuchMethodException {
            DistributedFallback annotation = fallback.equals("instead")
                    ? Carrier.class.getDeclaredMethod("right").getAnnotation(DistributedFallback.class)
                    : Carrier.class.getDeclaredMethod("wrong").getAnnotation(DistributedFallback.class);
            factory.configure()
                    .filterMethods(method -> method.getJavaMember().getName().equals("call"))
                    .forEach(method -> method.add(annotation));
            return factory.createInterceptedInstance(new Foreign());
        }
    }

    interface Carrier {
        @DistributedFallback(breaker = "foreign", fallbackMethod = "instead")
        void right();

        @DistributedFallback(breaker = "foreign", fallbackMethod = "absent")
        void wrong();
    }

    @Test
    void an_annotation_that_a_producer_puts_on_a_foreign_class_is_honoured() throws Exception {
        startAll(ForeignFactory.class);
        Foreign foreign = container.select(Foreign.class).get();
        for (int i = 0; i < 5; i++) {
            assertThat(foreign.call()).isEqualTo("fallback");
        }
        assertThat(failuresOf("foreign")).isEqualTo(3);
    }

    @Test
    void a_mistake_that_only_a_call_can_show_is_told_then() {
        ForeignFactory.fallback = "absent";
        try {
            startAll(ForeignFactory.class);
            assertThatThrownBy(() -> container.select(Foreign.class).get().call())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("DFB102");
        } finally {
            ForeignFactory.fallback = "instead";
        }
    }

    @Dependent
    static class PlainFactory {
        @Produces
        Product product() {
            return new Product();
        }
    }

    @Dependent
    static class FieldFactory {
        @Produces
        Product field = new Product();
    }

    @Test
    void a_warning_tells_of_a_producer_field_as_well() {
        startAll(FieldFactory.class);
        assertThat(warnings.of("DFB116")).singleElement().asString().contains("FieldFactory.field");
    }

    @Decorator
    @Priority(1)
    static class GuardedDecorator implements Shop {
        @Inject
        @Delegate
        @Any
        Shop shop;

        @Override
        @DistributedFallback(breaker = "in vain")
        public String open(String by) throws IOException {
            return shop.open(by);
        }
    }

    @Test
    void a_warning_tells_of_a_decorator_which_nothing_intercepts() {
        startAll(CornerShop.class, GuardedDecorator.class);
        assertThat(warnings.of("DFB116")).singleElement().asString().contains("GuardedDecorator");
    }

    @Test
    void a_warning_tells_of_a_producer_whose_product_is_not_intercepted() {
        startAll(PlainFactory.class);
        assertThat(warnings.of("DFB116"))
                .singleElement()
                .asString()
                .contains("PlainFactory.product", "InterceptionFactory<Product>");
    }

    interface AnnotatedInterface {
        @DistributedFallback(breaker = "in vain")
        String call();
    }

    @ApplicationScoped
    static class OfAnnotatedInterface implements AnnotatedInterface {
        @Override
        public String call() {
            return "unguarded";
        }
    }

    @Test
    void a_warning_tells_of_an_interface_whose_annotation_nobody_inherits() {
        startAll(OfAnnotatedInterface.class);
        assertThat(warnings.of("DFB116")).singleElement().asString().contains(AnnotatedInterface.class.getName());
    }

    @Dependent
    static class Unmakeable {
        Unmakeable(String argument) {
            assertThat(argument).isNotNull();
        }

        @DistributedFallback(breaker = "in vain")
        String call() {
            return "";
        }
    }

    @Test
    void a_warning_tells_of_a_class_that_is_no_bean() {
        startAll(Unmakeable.class);
        assertThat(warnings.of("DFB116")).singleElement().asString().contains(Unmakeable.class.getName());
    }

    @ApplicationScoped
    @DistributedFallback(fallbackMethod = "instead")
    static class FinalMethodOfClass {
        String call() {
            return "";
        }

        final String fixed() {
            return "";
        }

        String instead() {
            return "";
        }
    }

    @Test
    void a_final_method_of_an_annotated_class_fails_the_deployment() {
        assertThatThrownBy(() -> start(FinalMethodOfClass.class))
                .hasMessageContaining("found 1 problem ")
                .hasMessageContaining("DFB104")
                .hasMessageContaining("FinalMethodOfClass.fixed");
    }

    @DistributedFallback(breaker = "stereotyped")
    @Stereotype
    @Retention(RetentionPolicy.RUNTIME)
    @interface Guarded {}

    @Dependent
    @Guarded
    static class FinalMethodOfStereotype {
        final String fixed() {
            return "";
        }
    }

    @Test
    void a_final_method_of_a_class_with_the_stereotype_fails_the_deployment() {
        assertThatThrownBy(() -> start(FinalMethodOfStereotype.class))
                .hasMessageContaining("DFB104")
                .hasMessageContaining("FinalMethodOfStereotype.fixed");
    }

    @Dependent
    static final class FinalClass {
        @DistributedFallback(breaker = "final")
        String call() {
            return "";
        }
    }

    @Test
    void a_final_class_fails_the_deployment() {
        assertThatThrownBy(() -> start(FinalClass.class))
                .hasMessageContaining("DFB104")
                .hasMessageContaining("[final class]");
    }

    static class FinalInBase {
        @DistributedFallback(breaker = "final")
        final String call() {
            return "";
        }
    }

    @Dependent
    static class BelowFinal extends FinalInBase {}

    @Test
    void a_final_method_in_a_superclass_fails_the_deployment() {
        assertThatThrownBy(() -> start(BelowFinal.class)).hasMessageContaining("DFB104");
    }

    @ApplicationScoped
    static class Probed {
        @DistributedFallback(breaker = "probed")
        String call() {
            return "";
        }

        @Probe("probed")
        boolean probe() {
            return true;
        }
    }

    @ApplicationScoped
    static class ProbedBelow extends Probed {
        @Override
        boolean probe() {
            return false;
        }
    }

    @Test
    void an_override_of_a_probe_without_the_annotation_is_no_probe() {
        startAll(ProbedBelow.class);
        assertThat(warnings.of("DFB403")).hasSize(1);
    }
}
