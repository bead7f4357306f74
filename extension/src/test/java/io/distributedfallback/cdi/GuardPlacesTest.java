package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.Dependent;
import java.io.IOException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which annotation guards a method, and which breaker it shares with whom: on a class, on a method, inherited, replaced
 * and lost. The cases of the MicroProfile Fault Tolerance TCK, told by the names of breakers.
 */
class GuardPlacesTest {

    private static final int THRESHOLD = 3;

    /** What each bean here does. */
    abstract static class Service {
        abstract void ask() throws IOException;

        static void fail() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @Dependent
    @DistributedFallback(breaker = "class of base")
    static class OnClass extends Service {
        @Override
        void ask() throws IOException {
            fail();
        }
    }

    @Dependent
    static class OnMethod extends Service {
        @Override
        @DistributedFallback(breaker = "method of base")
        void ask() throws IOException {
            fail();
        }
    }

    @Dependent
    @DistributedFallback(breaker = "class of base")
    static class OnBoth extends Service {
        @Override
        @DistributedFallback(breaker = "method of base")
        void ask() throws IOException {
            fail();
        }
    }

    private static void guardedBy(String breaker, Class<? extends Service> bean) {
        try (WeldApplication application = WeldApplication.of(bean)) {
            for (int i = 0; i < THRESHOLD; i++) {
                assertThatThrownBy(application.bean(bean)::ask).isInstanceOf(IOException.class);
            }
            assertThatThrownBy(application.bean(bean)::ask)
                    .isInstanceOfSatisfying(
                            BreakerOpenException.class,
                            open -> assertThat(open.breaker()).isEqualTo(breaker));
        }
    }

    private static void unguarded(Class<? extends Service> bean) {
        try (WeldApplication application = WeldApplication.of(bean)) {
            for (int i = 0; i < 2 * THRESHOLD; i++) {
                assertThatThrownBy(application.bean(bean)::ask).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void on_a_class_it_guards_the_methods_of_all_instances() {
        guardedBy("class of base", OnClass.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnClassThenOnClass extends OnClass {}

    @Test
    void on_a_subclass_it_replaces_that_on_the_class() {
        guardedBy("class below", OnClassThenOnClass.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnClassThenOnClassWithMethod extends OnClass {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_a_subclass_that_overrides_the_method_it_replaces_that_on_the_class() {
        guardedBy("class below", OnClassThenOnClassWithMethod.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnClassThenOnMethod extends OnClass {
        @Override
        @DistributedFallback(breaker = "method below")
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_the_overriding_method_it_replaces_those_on_both_classes() {
        guardedBy("method below", OnClassThenOnMethod.class);
    }

    @Dependent
    static class OnClassThenPlainMethod extends OnClass {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_a_class_it_is_inherited_with_a_method_that_is_overridden_without_it() {
        guardedBy("class of base", OnClassThenPlainMethod.class);
    }

    @Dependent
    static class OnClassThenNothing extends OnClass {}

    @Test
    void on_a_class_it_is_inherited() {
        guardedBy("class of base", OnClassThenNothing.class);
    }

    @Test
    void on_a_method_it_guards_that() {
        guardedBy("method of base", OnMethod.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnMethodThenOnClass extends OnMethod {}

    @Test
    void on_an_inherited_method_it_goes_before_that_on_the_subclass() {
        guardedBy("method of base", OnMethodThenOnClass.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnMethodThenOnClassWithMethod extends OnMethod {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_a_method_that_is_overridden_without_it_that_on_the_subclass_holds() {
        guardedBy("class below", OnMethodThenOnClassWithMethod.class);
    }

    @Dependent
    static class OnMethodThenOnMethod extends OnMethod {
        @Override
        @DistributedFallback(breaker = "method below")
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_the_overriding_method_it_replaces_that_on_the_overridden_one() {
        guardedBy("method below", OnMethodThenOnMethod.class);
    }

    @Dependent
    static class OnMethodThenPlainMethod extends OnMethod {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_a_method_it_is_lost_with_a_method_that_overrides_it_without() {
        unguarded(OnMethodThenPlainMethod.class);
    }

    @Dependent
    static class OnMethodThenNothing extends OnMethod {}

    @Test
    void on_a_method_it_is_inherited() {
        guardedBy("method of base", OnMethodThenNothing.class);
    }

    @Test
    void on_a_method_it_goes_before_that_on_the_class() {
        guardedBy("method of base", OnBoth.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnBothThenOnClass extends OnBoth {}

    @Test
    void on_an_inherited_method_it_goes_before_those_on_both_classes() {
        guardedBy("method of base", OnBothThenOnClass.class);
    }

    @Dependent
    @DistributedFallback(breaker = "class below")
    static class OnBothThenOnClassWithMethod extends OnBoth {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_both_and_overridden_without_it_that_on_the_subclass_holds() {
        guardedBy("class below", OnBothThenOnClassWithMethod.class);
    }

    @Dependent
    static class OnBothThenOnMethod extends OnBoth {
        @Override
        @DistributedFallback(breaker = "method below")
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_both_and_on_the_overriding_method_the_last_holds() {
        guardedBy("method below", OnBothThenOnMethod.class);
    }

    @Dependent
    static class OnBothThenPlainMethod extends OnBoth {
        @Override
        void ask() throws IOException {
            super.ask();
        }
    }

    @Test
    void on_both_and_overridden_without_it_that_on_the_class_holds() {
        guardedBy("class of base", OnBothThenPlainMethod.class);
    }

    @Dependent
    static class OnBothThenNothing extends OnBoth {}

    @Test
    void on_both_and_inherited_that_on_the_method_holds() {
        guardedBy("method of base", OnBothThenNothing.class);
    }

    @Dependent
    static class Jikan extends Service {
        @Override
        @DistributedFallback
        void ask() throws IOException {
            fail();
        }
    }

    @Dependent
    static class Rawg extends Service {
        @Override
        @DistributedFallback
        void ask() throws IOException {
            fail();
        }
    }

    @Test
    void methods_of_two_classes_share_no_breaker_unless_they_name_one() {
        try (WeldApplication application = WeldApplication.of(Jikan.class, Rawg.class)) {
            for (int i = 0; i < THRESHOLD; i++) {
                assertThatThrownBy(application.bean(Jikan.class)::ask).isInstanceOf(IOException.class);
            }
            assertThat(application.isOpen(Jikan.class.getName() + "/ask")).isTrue();
            assertThatThrownBy(application.bean(Rawg.class)::ask).isInstanceOf(IOException.class);
            assertThat(application.failuresOf(Rawg.class.getName() + "/ask")).isEqualTo(1);
        }
    }

    @Dependent
    static class TwoMethods {
        @DistributedFallback
        void search() throws IOException {
            Service.fail();
        }

        @DistributedFallback
        void list() throws IOException {
            Service.fail();
        }
    }

    @Test
    void annotated_methods_of_one_class_share_no_breaker_unless_they_name_one() {
        try (WeldApplication application = WeldApplication.of(TwoMethods.class)) {
            assertThatThrownBy(application.bean(TwoMethods.class)::search).isInstanceOf(IOException.class);
            assertThat(application.failuresOf(TwoMethods.class.getName() + "/search"))
                    .isEqualTo(1);
            assertThat(application.failuresOf(TwoMethods.class.getName() + "/list"))
                    .isZero();
        }
    }

    @Dependent
    @DistributedFallback
    static class TwoMethodsOfAClass {
        void search() throws IOException {
            Service.fail();
        }

        void list() throws IOException {
            Service.fail();
        }
    }

    @Test
    void methods_of_an_annotated_class_share_its_breaker() {
        try (WeldApplication application = WeldApplication.of(TwoMethodsOfAClass.class)) {
            assertThatThrownBy(application.bean(TwoMethodsOfAClass.class)::search)
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(application.bean(TwoMethodsOfAClass.class)::list).isInstanceOf(IOException.class);
            assertThat(application.failuresOf(TwoMethodsOfAClass.class.getName()))
                    .isEqualTo(2);
        }
    }
}
