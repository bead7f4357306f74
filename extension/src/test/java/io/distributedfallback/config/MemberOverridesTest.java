package io.distributedfallback.config;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.config.GuardDefinition.Mode;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

class MemberOverridesTest {

    private static final String CATALOG = Catalog.class.getName();
    private static final String SEARCH = CATALOG + "/search/DistributedFallback/";
    private static final String ON_CLASS = CATALOG + "/DistributedFallback/";
    private static final String GLOBAL = "DistributedFallback/";

    private final List<Problem> problems = new ArrayList<>();

    @Test
    void takes_the_annotation_as_it_is_where_nothing_is_configured() {
        assertThat(onMethod())
                .isEqualTo(new GuardDefinition(
                        "rawg",
                        Optional.of("searchIgdb"),
                        Optional.empty(),
                        List.of(),
                        List.of(IOException.class),
                        List.of(FileNotFoundException.class),
                        Mode.GUARDED));
        assertThat(problems).isEmpty();
    }

    @Test
    void names_a_breaker_after_the_place_of_its_annotation() {
        assertThat(onClass())
                .isEqualTo(new GuardDefinition(
                        CATALOG,
                        Optional.empty(),
                        Optional.of(Handler.class),
                        List.of(),
                        List.of(Throwable.class),
                        List.of(),
                        Mode.GUARDED));
        assertThat(on("list").breaker()).isEqualTo(CATALOG + "/list");
        assertThat(on("list").handler()).isEmpty();
    }

    @Test
    void overrides_every_member() {
        assertThat(onMethod(
                        SEARCH + "breaker", "games",
                        SEARCH + "fallbackMethod", "other",
                        SEARCH + "value", Handler.class.getName(),
                        SEARCH + "backup", CATALOG,
                        SEARCH + "failOn", "java.lang.IllegalStateException, java.io.IOException",
                        SEARCH + "skipOn", "java.lang.ArithmeticException"))
                .isEqualTo(new GuardDefinition(
                        "games",
                        Optional.of("other"),
                        Optional.of(Handler.class),
                        List.of(Catalog.class),
                        List.of(IllegalStateException.class, IOException.class),
                        List.of(ArithmeticException.class),
                        Mode.GUARDED));
        assertThat(problems).isEmpty();
    }

    @Test
    void takes_several_backups_in_the_order_in_which_they_are_written() {
        assertThat(onMethod(SEARCH + "backup", "java.lang.Runnable , " + CATALOG)
                        .backup())
                .containsExactly(Runnable.class, Catalog.class);
        assertThat(on("chain").backup()).containsExactly(Catalog.class, Runnable.class);
        assertThat(on("chain", GLOBAL + "backup", CATALOG).backup()).containsExactly(Catalog.class);
        assertThat(problems).isEmpty();
    }

    @Test
    void believes_the_key_of_the_place_before_the_key_for_all() {
        assertThat(onMethod(SEARCH + "breaker", "method", GLOBAL + "breaker", "all")
                        .breaker())
                .isEqualTo("method");
        assertThat(onMethod(GLOBAL + "breaker", "all").breaker()).isEqualTo("all");
        assertThat(onClass(ON_CLASS + "breaker", "class", GLOBAL + "breaker", "all")
                        .breaker())
                .isEqualTo("class");
    }

    @Test
    void applies_the_key_of_a_class_to_an_annotation_on_the_class_only() {
        assertThat(onMethod(ON_CLASS + "breaker", "class").breaker()).isEqualTo("rawg");
        assertThat(onClass(SEARCH + "breaker", "method").breaker()).isEqualTo(CATALOG);
    }

    @Test
    void reads_environment_variables() {
        String variable = (SEARCH + "breaker").replaceAll("[^A-Za-z0-9]", "_");
        GuardDefinition definition = configuration(TestConfig.ofEnvironment(Map.of(variable, "env")))
                .guard(search().getAnnotation(DistributedFallback.class), search(), problems::add);
        assertThat(definition.breaker()).isEqualTo("env");
    }

    @Test
    void takes_a_blank_value_for_none() {
        assertThat(onMethod(SEARCH + "breaker", " ", GLOBAL + "breaker", "all").breaker())
                .isEqualTo("all");
    }

    @ParameterizedTest
    @CsvSource({"true, GUARDED", "on, GUARDED", "1, GUARDED", "false, DISABLED", "NO, DISABLED", "off, DISABLED"})
    void is_switched_by_enabled(String enabled, Mode mode) {
        assertThat(onMethod(SEARCH + "enabled", enabled).mode()).isEqualTo(mode);
        assertThat(onMethod(GLOBAL + "enabled", enabled).mode()).isEqualTo(mode);
        assertThat(onClass(ON_CLASS + "enabled", enabled).mode()).isEqualTo(mode);
    }

    @Test
    void can_be_disabled_for_a_whole_class_and_enabled_for_one_method_of_it() {
        String[] keys = {ON_CLASS + "enabled", "false", SEARCH + "enabled", "true"};
        assertThat(onMethod(keys).mode()).isEqualTo(Mode.GUARDED);
        assertThat(on("list", keys).mode()).isEqualTo(Mode.DISABLED);
    }

    @Test
    void keeps_the_fallback_when_fault_tolerance_is_switched_off() {
        String key = "MP_Fault_Tolerance_NonFallback_Enabled";
        assertThat(onMethod(key, "false").mode()).isEqualTo(Mode.FALLBACK_ONLY);
        assertThat(onMethod(key, "true").mode()).isEqualTo(Mode.GUARDED);
    }

    @Test
    void believes_enabled_before_the_switch_of_fault_tolerance() {
        String key = "MP_Fault_Tolerance_NonFallback_Enabled";
        assertThat(onMethod(key, "false", SEARCH + "enabled", "true").mode()).isEqualTo(Mode.GUARDED);
        assertThat(onMethod(key, "true", GLOBAL + "enabled", "false").mode()).isEqualTo(Mode.DISABLED);
    }

    @ParameterizedTest
    @CsvSource({
        "value, com.acme.Nowhere, there is no class com.acme.Nowhere",
        "value, java.lang.String, FallbackHandler",
        "failOn, com.acme.Nowhere, there is no class com.acme.Nowhere",
        "failOn, java.lang.String, Throwable",
        "skipOn, 'java.io.IOException,', there is no class",
        "backup, com.acme.Nowhere, there is no class com.acme.Nowhere",
        "backup, 'java.lang.Runnable,', there is no class",
        "enabled, maybe, true or false"
    })
    void reports_a_value_that_is_not_usable_and_goes_on_with_the_annotation(String member, String value, String text) {
        assertThat(onMethod(SEARCH + member, value)).isEqualTo(onMethod());
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.where()).isEqualTo(SEARCH + member + " (from test.properties)");
            assertThat(problem.remedy()).containsIgnoringCase(text);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\tb", "a\u202Eb"})
    void reports_a_bad_name_of_a_breaker(String name) {
        onMethod(SEARCH + "breaker", name);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB110);
            assertThat(problem.where()).startsWith(SEARCH + "breaker");
        });
    }

    @Test
    void reports_a_bad_name_in_the_annotation() {
        on("blank");
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB110);
            assertThat(problem.where()).isEqualTo("@DistributedFallback on " + CATALOG + "/blank");
        });
    }

    private GuardDefinition onMethod(String... keysAndValues) {
        return on("search", keysAndValues);
    }

    private GuardDefinition on(String method, String... keysAndValues) {
        Method site = method(method);
        return configuration(keysAndValues).guard(site.getAnnotation(DistributedFallback.class), site, problems::add);
    }

    private GuardDefinition onClass(String... keysAndValues) {
        return configuration(keysAndValues)
                .guard(
                        Catalog.class.getAnnotation(DistributedFallback.class),
                        Catalog.class,
                        method("plain"),
                        problems::add);
    }

    private static Method search() {
        return method("search");
    }

    private static Method method(String name) {
        try {
            return Catalog.class.getDeclaredMethod(name);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    static final class Handler implements FallbackHandler<String> {
        @Override
        public String handle(ExecutionContext context) {
            return "";
        }
    }

    @DistributedFallback(Handler.class)
    static class Catalog {

        @DistributedFallback(
                breaker = "rawg",
                fallbackMethod = "searchIgdb",
                failOn = IOException.class,
                skipOn = FileNotFoundException.class)
        void search() {}

        @DistributedFallback
        void list() {}

        @DistributedFallback(backup = {Catalog.class, Runnable.class})
        void chain() {}

        void plain() {}

        @DistributedFallback(breaker = " ")
        void blank() {}
    }
}
