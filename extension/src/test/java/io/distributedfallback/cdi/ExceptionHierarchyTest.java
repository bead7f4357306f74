package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.Dependent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What {@code failOn} and {@code skipOn} make of a family of exceptions: of each, whether it uses the fallback and counts,
 * or is the caller's error and does neither. The combinations are those of the MicroProfile Fault Tolerance TCK.
 */
class ExceptionHierarchyTest {

    static class Grandparent extends Exception {}

    static class Parent extends Grandparent {}

    static class Child extends Parent {}

    static class OfChild extends Child {}

    static class OfParent extends Parent {}

    static class OfGrandparent extends Grandparent {}

    @Dependent
    static class Service {
        @DistributedFallback(
                breaker = "skips the one in the middle",
                failOn = {Grandparent.class, Child.class},
                skipOn = Parent.class,
                fallbackMethod = "instead")
        String skipsTheOneInTheMiddle(Throwable thrown) throws Throwable {
            throw thrown;
        }

        @DistributedFallback(
                breaker = "skips around the one in the middle",
                failOn = {Exception.class, Parent.class},
                skipOn = {Grandparent.class, Child.class},
                fallbackMethod = "instead")
        String skipsAroundTheOneInTheMiddle(Throwable thrown) throws Throwable {
            throw thrown;
        }

        @DistributedFallback(
                breaker = "skips them all",
                failOn = {Parent.class, Child.class},
                skipOn = Grandparent.class,
                fallbackMethod = "instead")
        String skipsThemAll(Throwable thrown) throws Throwable {
            throw thrown;
        }

        @SuppressWarnings("unused") // the parameter is that of the guarded methods
        String instead(Throwable thrown) {
            return "fallback";
        }
    }

    private interface Call {
        String ask(Service service, Throwable thrown) throws Throwable;
    }

    private static void check(String breaker, Call call, String thrownName, boolean usesFallbackAndCounts)
            throws Throwable {
        Throwable thrown = thrown(thrownName);
        try (WeldApplication application = WeldApplication.of(Service.class)) {
            Service service = application.bean(Service.class);
            if (usesFallbackAndCounts) {
                assertThat(call.ask(service, thrown)).isEqualTo("fallback");
            } else {
                assertThatThrownBy(() -> call.ask(service, thrown)).isSameAs(thrown);
            }
            assertThat(application.failuresOf(breaker)).isEqualTo(usesFallbackAndCounts ? 1 : 0);
        }
    }

    private static Throwable thrown(String name) {
        return switch (name) {
            case "Exception" -> new Exception();
            case "Grandparent" -> new Grandparent();
            case "Parent" -> new Parent();
            case "Child" -> new Child();
            case "OfChild" -> new OfChild();
            case "OfParent" -> new OfParent();
            case "OfGrandparent" -> new OfGrandparent();
            case "RuntimeException" -> new RuntimeException();
            case "Error" -> new Error();
            default -> throw new IllegalArgumentException(name);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "Exception, false",
        "Grandparent, true",
        "Parent, false",
        "Child, false",
        "OfChild, false",
        "OfParent, false",
        "OfGrandparent, true",
        "RuntimeException, false",
        "Error, false"
    })
    void skip_on_the_one_in_the_middle_takes_what_is_below_it(String thrown, boolean counts) throws Throwable {
        check("skips the one in the middle", Service::skipsTheOneInTheMiddle, thrown, counts);
    }

    @ParameterizedTest
    @CsvSource({
        "Exception, true",
        "Grandparent, false",
        "Parent, false",
        "Child, false",
        "OfChild, false",
        "OfParent, false",
        "OfGrandparent, false",
        "RuntimeException, true",
        "Error, false"
    })
    void skip_on_the_topmost_takes_what_fail_on_names_below_it(String thrown, boolean counts) throws Throwable {
        check("skips around the one in the middle", Service::skipsAroundTheOneInTheMiddle, thrown, counts);
    }

    @ParameterizedTest
    @CsvSource({
        "Exception, false",
        "Grandparent, false",
        "Parent, false",
        "Child, false",
        "OfChild, false",
        "OfParent, false",
        "OfGrandparent, false",
        "RuntimeException, false",
        "Error, false"
    })
    void skip_on_all_that_fail_on_names_leaves_nothing(String thrown, boolean counts) throws Throwable {
        check("skips them all", Service::skipsThemAll, thrown, counts);
    }
}
