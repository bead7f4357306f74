package io.distributedfallback.config;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.config.GuardDefinition.Mode;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.distributedfallback.config.TestConfig.configuration;
import static org.assertj.core.api.Assertions.assertThat;

/** Which key decides, by the chapter on configuration of MicroProfile Fault Tolerance 4.1, edge by edge. */
class OverridePrecedenceTest {

    private static final String SHOP = Shop.class.getName();
    private static final String FREE = "MP_Fault_Tolerance_NonFallback_Enabled";

    private final List<Problem> problems = new ArrayList<>();

    @Test
    void a_key_of_a_method_is_for_all_its_overloads() {
        String key = SHOP + "/buy/DistributedFallback/breaker";
        assertThat(onMethod(method(Shop.class, "buy"), key, "tills").breaker()).isEqualTo("tills");
        assertThat(onMethod(method(Shop.class, "buy", int.class), key, "tills").breaker())
                .isEqualTo("tills");
    }

    @Test
    void an_inherited_method_goes_by_the_class_that_declares_it() {
        Method inherited = Stream.of(Branch.class.getMethods())
                .filter(method -> method.getName().equals("open"))
                .findFirst()
                .orElseThrow();
        assertThat(onMethod(inherited, SHOP + "/open/DistributedFallback/breaker", "doors")
                        .breaker())
                .isEqualTo("doors");
        assertThat(onMethod(inherited, Branch.class.getName() + "/open/DistributedFallback/breaker", "doors")
                        .breaker())
                .isEqualTo(SHOP + "/open");
    }

    @Test
    void a_member_of_an_annotation_on_a_class_ignores_the_key_of_a_method() {
        assertThat(onClass(SHOP + "/sell/DistributedFallback/breaker", "tills").breaker())
                .isEqualTo(SHOP);
    }

    @Test
    void a_member_of_an_annotation_on_a_method_ignores_the_key_of_the_class() {
        assertThat(onMethod(method(Shop.class, "buy"), SHOP + "/DistributedFallback/breaker", "tills")
                        .breaker())
                .isEqualTo(SHOP + "/buy");
    }

    @Test
    void the_keys_of_other_annotations_are_none_of_ours() {
        assertThat(onClass(
                                "Fallback/enabled",
                                "false",
                                "CircuitBreaker/enabled",
                                "false",
                                SHOP + "/CircuitBreaker/enabled",
                                "false")
                        .mode())
                .isEqualTo(Mode.GUARDED);
    }

    /** The nearest key that is set decides, whatever the others say. */
    @ParameterizedTest
    @CsvSource({
        // method, class, all, MP_Fault_Tolerance_NonFallback_Enabled
        "     ,      ,      ,      , GUARDED",
        "     ,      ,      , false, FALLBACK_ONLY",
        "     ,      ,      , true , GUARDED",
        "     ,      , false,      , DISABLED",
        "     ,      , false, false, DISABLED",
        "     ,      , true , false, GUARDED",
        "     , false, true ,      , DISABLED",
        "     , true , false,      , GUARDED",
        "     , true ,      , false, GUARDED",
        "false, true , true ,      , DISABLED",
        "true , false, false, false, GUARDED",
        "true , false,      ,      , GUARDED",
        "false,      , true , true , DISABLED",
    })
    void enabled_is_looked_for_at_the_method_then_at_the_class_then_for_all_wherever_the_annotation_stands(
            String ofMethod, String ofClass, String ofAll, String free, Mode mode) {
        List<String> keys = new ArrayList<>();
        add(keys, "DistributedFallback/enabled", ofAll);
        add(keys, SHOP + "/DistributedFallback/enabled", ofClass);
        add(keys, FREE, free);
        List<String> onBuy = new ArrayList<>(keys);
        add(onBuy, SHOP + "/buy/DistributedFallback/enabled", ofMethod);
        List<String> onSell = new ArrayList<>(keys);
        add(onSell, SHOP + "/sell/DistributedFallback/enabled", ofMethod);

        assertThat(onMethod(method(Shop.class, "buy"), onBuy.toArray(String[]::new))
                        .mode())
                .isEqualTo(mode);
        assertThat(onClass(onSell.toArray(String[]::new)).mode()).isEqualTo(mode);
        assertThat(problems).isEmpty();
    }

    @Test
    void enabled_of_one_method_leaves_the_others_of_its_class_alone() {
        String key = SHOP + "/buy/DistributedFallback/enabled";
        assertThat(onClass(key, "false").mode()).isEqualTo(Mode.GUARDED);
    }

    /** As MicroProfile Config reads a boolean: what is not true is false. */
    @ParameterizedTest
    @ValueSource(strings = {"false", "no", "off", "0", "nonsense"})
    void the_switch_of_fault_tolerance_reads_as_everywhere_on_the_server(String value) {
        assertThat(onClass(FREE, value).mode()).isEqualTo(Mode.FALLBACK_ONLY);
    }

    @Test
    void a_switch_that_leads_nowhere_is_a_problem_and_changes_nothing() {
        assertThat(onClass(FREE, "${nowhere}").mode()).isEqualTo(Mode.GUARDED);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.DFB201);
            assertThat(problem.where()).startsWith(FREE);
        });
    }

    private static void add(List<String> keys, String key, String value) {
        if (value != null) {
            keys.add(key);
            keys.add(value);
        }
    }

    private GuardDefinition onMethod(Method method, String... keysAndValues) {
        return configuration(keysAndValues)
                .guard(method.getAnnotation(DistributedFallback.class), method, problems::add);
    }

    private GuardDefinition onClass(String... keysAndValues) {
        return configuration(keysAndValues)
                .guard(
                        Shop.class.getAnnotation(DistributedFallback.class),
                        Shop.class,
                        method(Shop.class, "sell"),
                        problems::add);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getDeclaredMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    @DistributedFallback
    static class Shop {

        @DistributedFallback
        void buy() {}

        @DistributedFallback
        void buy(int amount) {}

        @DistributedFallback
        public void open() {}

        void sell() {}
    }

    static class Branch extends Shop {}
}
