package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** MicroProfile Config over the annotation, on beans: the cases of the MicroProfile Fault Tolerance TCK. */
class ConfiguredGuardsTest {

    private static final String CATALOG = "io.distributedfallback.cdi.ConfiguredGuardsTest$Catalog";
    private static final String METHOD = CATALOG + "/search/DistributedFallback/";
    private static final String CLASS = CATALOG + "/DistributedFallback/";
    private static final String ALL = "DistributedFallback/";

    @ApplicationScoped
    static class Catalog {
        @DistributedFallback(breaker = "catalog", failOn = IOException.class, fallbackMethod = "instead")
        String search(Exception thrown) throws Exception {
            throw thrown;
        }

        @SuppressWarnings("unused") // the parameter is that of the guarded method
        String instead(Exception thrown) {
            return "instead";
        }

        @SuppressWarnings("unused")
        String another(Exception thrown) {
            return "another";
        }
    }

    @ApplicationScoped
    static class Handled {
        @DistributedFallback(breaker = "handled", value = First.class)
        String search() throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    public static class First implements FallbackHandler<String> {
        @Override
        public String handle(ExecutionContext context) {
            return "first";
        }
    }

    public static class Second implements FallbackHandler<String> {
        @Override
        public String handle(ExecutionContext context) {
            return "second";
        }
    }

    private static WeldApplication configured(String key, String value) {
        return WeldApplication.configured(Map.of(key, value), Catalog.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {METHOD, ALL})
    void fail_on_of_the_configuration_replaces_that_of_the_annotation(String prefix) throws Exception {
        try (WeldApplication application = configured(prefix + "failOn", IllegalStateException.class.getName())) {
            Catalog catalog = application.bean(Catalog.class);
            assertThat(catalog.search(new IllegalStateException("now it may count")))
                    .isEqualTo("instead");
            IOException nowTheCallers = new IOException("HTTP 503");
            assertThatThrownBy(() -> catalog.search(nowTheCallers)).isSameAs(nowTheCallers);
            assertThat(application.failuresOf("catalog")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {METHOD, ALL})
    void skip_on_of_the_configuration_replaces_that_of_the_annotation(String prefix) throws Exception {
        try (WeldApplication application = configured(prefix + "skipOn", FileNotFoundException.class.getName())) {
            Catalog catalog = application.bean(Catalog.class);
            FileNotFoundException skipped = new FileNotFoundException("of the caller's asking");
            assertThatThrownBy(() -> catalog.search(skipped)).isSameAs(skipped);
            assertThat(application.failuresOf("catalog")).isZero();
            assertThat(catalog.search(new IOException("HTTP 503"))).isEqualTo("instead");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {METHOD, ALL})
    void fallback_method_of_the_configuration_replaces_that_of_the_annotation(String prefix) throws Exception {
        try (WeldApplication application = configured(prefix + "fallbackMethod", "another")) {
            assertThat(application.bean(Catalog.class).search(new IOException("HTTP 503")))
                    .isEqualTo("another");
        }
    }

    @Test
    void a_fallback_method_of_the_configuration_is_checked_like_one_of_the_annotation() {
        assertThatThrownBy(() -> configured(METHOD + "fallbackMethod", "absent").close())
                .hasMessageContaining("DFB102")
                .hasMessageContaining("absent");
    }

    @Test
    void the_handler_of_the_configuration_replaces_that_of_the_annotation() throws Exception {
        try (WeldApplication application = WeldApplication.configured(
                Map.of(Handled.class.getName() + "/search/DistributedFallback/value", Second.class.getName()),
                Handled.class)) {
            assertThat(application.bean(Handled.class).search()).isEqualTo("second");
        }
    }

    @Test
    void the_key_of_the_method_goes_before_the_key_for_all() throws Exception {
        try (WeldApplication application = WeldApplication.configured(
                Map.of(METHOD + "fallbackMethod", "another", ALL + "fallbackMethod", "absent"), Catalog.class)) {
            assertThat(application.bean(Catalog.class).search(new IOException("HTTP 503")))
                    .isEqualTo("another");
        }
    }

    @ParameterizedTest
    @CsvSource({
        // for all, of the class, of the method, whether guarded
        "     ,      ,      , true",
        "false,      ,      , false",
        "     , false,      , false",
        "     ,      , false, false",
        "false, true ,      , true",
        "false,      , true , true",
        "     , false, true , true",
        "true , false,      , false",
        "true ,      , false, false",
        "     , true , false, false"
    })
    void enabled_is_believed_at_the_nearest_place(String all, String ofClass, String ofMethod, boolean guarded)
            throws Exception {
        Map<String, String> settings = new HashMap<>();
        put(settings, ALL, all);
        put(settings, CLASS, ofClass);
        put(settings, METHOD, ofMethod);
        isGuarded(settings, guarded);
    }

    @ParameterizedTest
    @ValueSource(strings = {METHOD, CLASS, ALL})
    void enabled_at_any_place_is_believed_before_the_switch_for_all_but_fallbacks(String prefix) throws Exception {
        isGuarded(Map.of("MP_Fault_Tolerance_NonFallback_Enabled", "false", prefix + "enabled", "true"), true);
    }

    @Test
    void the_switch_for_all_but_fallbacks_takes_the_breaker_and_leaves_the_fallback() throws Exception {
        try (WeldApplication application = configured("MP_Fault_Tolerance_NonFallback_Enabled", "false")) {
            for (int i = 0; i < 10; i++) {
                assertThat(application.bean(Catalog.class).search(new IOException("HTTP 503")))
                        .isEqualTo("instead");
            }
            assertThat(application.isOpen("catalog")).isFalse();
        }
    }

    private static void put(Map<String, String> settings, String place, String enabled) {
        if (enabled != null) {
            settings.put(place + "enabled", enabled);
        }
    }

    private static void isGuarded(Map<String, String> settings, boolean guarded) throws Exception {
        try (WeldApplication application = WeldApplication.configured(settings, Catalog.class)) {
            Catalog catalog = application.bean(Catalog.class);
            IOException failure = new IOException("HTTP 503");
            if (guarded) {
                assertThat(catalog.search(failure)).isEqualTo("instead");
                assertThat(application.failuresOf("catalog")).isEqualTo(1);
            } else {
                assertThatThrownBy(() -> catalog.search(failure)).isSameAs(failure);
                assertThat(application.failuresOf("catalog")).isZero();
            }
        }
    }
}
