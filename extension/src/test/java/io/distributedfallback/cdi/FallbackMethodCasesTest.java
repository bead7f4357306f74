package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.cdi.elsewhere.OtherPackage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Where a fallback method may stand and what it must look like: the cases of the MicroProfile Fault Tolerance TCK, on
 * beans of their own. The guide lists them, see {@code microprofile-cases.md}.
 */
@SuppressWarnings({"unused", "UnusedMethod"}) // fallback methods are called by name
class FallbackMethodCasesTest {

    private static IllegalStateException failure() {
        return new IllegalStateException("the primary fails");
    }

    private static <T> void answersFromTheFallback(Class<T> bean, Function<T, String> call) {
        try (WeldApplication application = WeldApplication.of(bean)) {
            assertThat(call.apply(application.bean(bean))).isEqualTo("fallback");
        }
    }

    private static void isRefused(Class<?> bean, String guarded) {
        assertThatThrownBy(() -> WeldApplication.of(bean).close())
                .hasMessageContaining("DFB102")
                .hasMessageContaining(guarded);
    }

    @ApplicationScoped
    static class SameClass {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }

        String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void one_of_the_same_class() {
        answersFromTheFallback(SameClass.class, bean -> bean.ask(1, 2L));
    }

    @ApplicationScoped
    static class PrivateOfSameClass {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }

        private String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void a_private_one_of_the_same_class() {
        answersFromTheFallback(PrivateOfSameClass.class, bean -> bean.ask(1, 2L));
    }

    static class Parent {
        protected String instead(int number, Long other) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class OfSuperclass extends Parent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void one_of_the_superclass() {
        answersFromTheFallback(OfSuperclass.class, bean -> bean.ask(1, 2L));
    }

    static class PackagePrivateParent {
        String instead(int number, Long other) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class OfSuperclassInPackage extends PackagePrivateParent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void one_of_the_superclass_that_only_the_package_sees() {
        answersFromTheFallback(OfSuperclassInPackage.class, bean -> bean.ask(1, 2L));
    }

    @ApplicationScoped
    static class ProtectedOfOtherPackage extends OtherPackage {
        @DistributedFallback(fallbackMethod = "inherited")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void a_protected_one_of_a_superclass_in_another_package() {
        answersFromTheFallback(ProtectedOfOtherPackage.class, bean -> bean.ask(1, 2L));
    }

    @ApplicationScoped
    static class HiddenInOtherPackage extends OtherPackage {
        @DistributedFallback(fallbackMethod = "hidden")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void not_one_that_only_another_package_sees() {
        isRefused(HiddenInOtherPackage.class, "HiddenInOtherPackage.ask");
    }

    static class SecretiveParent {
        private String instead(int number, Long other) {
            return "secret";
        }
    }

    @ApplicationScoped
    static class PrivateOfSuperclass extends SecretiveParent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void not_a_private_one_of_the_superclass() {
        isRefused(PrivateOfSuperclass.class, "PrivateOfSuperclass.ask");
    }

    static class GuardedParent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @ApplicationScoped
    static class OnlyInSubclass extends GuardedParent {
        String instead(int number, Long other) {
            return "too far down";
        }
    }

    @Test
    void not_one_that_only_a_subclass_has() {
        isRefused(OnlyInSubclass.class, "GuardedParent.ask");
    }

    abstract static class PromisingParent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }

        protected abstract String instead(int number, Long other);
    }

    @ApplicationScoped
    static class KeepsThePromise extends PromisingParent {
        @Override
        protected String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void an_abstract_one_that_the_bean_implements() {
        answersFromTheFallback(KeepsThePromise.class, bean -> bean.ask(1, 2L));
    }

    static class OverriddenParent {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }

        protected String instead(int number, Long other) {
            return "overridden";
        }
    }

    @ApplicationScoped
    static class Overrides extends OverriddenParent {
        @Override
        protected String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void the_one_that_a_subclass_puts_in_its_place() {
        answersFromTheFallback(Overrides.class, bean -> bean.ask(1, 2L));
    }

    interface Offers {
        default String instead(int number, Long other) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class DefaultOfInterface implements Offers {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void a_default_one_of_an_interface() {
        answersFromTheFallback(DefaultOfInterface.class, bean -> bean.ask(1, 2L));
    }

    interface Demands {
        String instead(int number, Long other);
    }

    abstract static class LeavesItOpen implements Demands {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @ApplicationScoped
    static class ImplementsInterface extends LeavesItOpen {
        @Override
        public String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void one_that_an_interface_of_the_declaring_class_demands_and_the_bean_implements() {
        answersFromTheFallback(ImplementsInterface.class, bean -> bean.ask(1, 2L));
    }

    @ApplicationScoped
    static class Varargs {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long... others) {
            throw failure();
        }

        String instead(int number, Long... others) {
            return others.length == 2 ? "fallback" : "lost " + others.length;
        }
    }

    @Test
    void one_with_varargs() {
        answersFromTheFallback(Varargs.class, bean -> bean.ask(1, 2L, 3L));
    }

    static class GenericParent<T> {
        String instead(int number, T other) {
            return "fallback";
        }

        String insteadOfArray(T[][] others) {
            return "fallback";
        }

        String insteadOfNested(List<Set<T>> others) {
            return "fallback";
        }

        String insteadOfWildcard(List<? extends T> others) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class Generic extends GenericParent<Long> {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }

        @DistributedFallback(fallbackMethod = "insteadOfArray")
        String askArray(Long[][] others) {
            throw failure();
        }

        @DistributedFallback(fallbackMethod = "insteadOfNested")
        String askNested(List<Set<Long>> others) {
            throw failure();
        }

        @DistributedFallback(fallbackMethod = "insteadOfWildcard")
        String askWildcard(List<? extends Long> others) {
            throw failure();
        }
    }

    @Test
    void one_of_a_generic_superclass() {
        answersFromTheFallback(Generic.class, bean -> bean.ask(1, 2L));
    }

    @Test
    void one_with_an_array_of_a_type_variable() {
        answersFromTheFallback(Generic.class, bean -> bean.askArray(new Long[3][4]));
    }

    @Test
    void one_with_a_type_variable_deep_inside() {
        answersFromTheFallback(Generic.class, bean -> bean.askNested(List.of(Set.of(1L))));
    }

    @Test
    void one_with_a_wildcard_bounded_by_a_type_variable() {
        answersFromTheFallback(Generic.class, bean -> bean.askWildcard(List.of(1L)));
    }

    static class GenericMiddle<R> extends GenericParent<R> {}

    @ApplicationScoped
    static class GenericByTwoSteps extends GenericMiddle<Long> {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, Long other) {
            throw failure();
        }
    }

    @Test
    void one_of_a_generic_superclass_two_steps_up() {
        answersFromTheFallback(GenericByTwoSteps.class, bean -> bean.ask(1, 2L));
    }

    abstract static class GenericPromisingParent<T> {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(int number, T other) {
            throw failure();
        }

        protected abstract String instead(int number, T other);
    }

    @ApplicationScoped
    static class KeepsTheGenericPromise extends GenericPromisingParent<Long> {
        @Override
        protected String instead(int number, Long other) {
            return "fallback";
        }
    }

    @Test
    void an_abstract_one_of_a_generic_superclass() {
        answersFromTheFallback(KeepsTheGenericPromise.class, bean -> bean.ask(1, 2L));
    }

    @ApplicationScoped
    static class AnyList {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(List<?> others) {
            throw failure();
        }

        String instead(List<?> others) {
            return "fallback";
        }
    }

    @Test
    void one_with_the_same_wildcard() {
        answersFromTheFallback(AnyList.class, bean -> bean.ask(null));
    }

    @ApplicationScoped
    static class OtherBound {
        @DistributedFallback(fallbackMethod = "instead")
        String ask(List<? extends Number> others) {
            throw failure();
        }

        String instead(List<? extends Integer> others) {
            return "narrower";
        }
    }

    @Test
    void not_one_with_a_wildcard_of_another_bound() {
        isRefused(OtherBound.class, "OtherBound.ask");
    }

    @ApplicationScoped
    static class OtherReturnType {
        @DistributedFallback(fallbackMethod = "instead")
        Integer ask() {
            throw failure();
        }

        String instead() {
            return "text";
        }
    }

    @Test
    void not_one_that_returns_something_else() {
        isRefused(OtherReturnType.class, "OtherReturnType.ask");
    }

    @ApplicationScoped
    static class FewerParameters {
        @DistributedFallback(fallbackMethod = "instead")
        Integer ask(String text, Integer number) {
            throw failure();
        }

        Integer instead(String text) {
            return 0;
        }
    }

    @Test
    void not_one_with_fewer_parameters() {
        isRefused(FewerParameters.class, "FewerParameters.ask");
    }
}
