package io.distributedfallback.cdi;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The lookup of fallback methods, by the rules of MicroProfile Fault Tolerance 4.1, section 6.2. */
@SuppressWarnings({"unused", "UnusedMethod", "UnusedVariable", "MethodCanBeStatic"}) // they are looked up
class FallbackMethodsTest {

    interface Answers<T> {
        default T byInterface(String query) {
            return null;
        }
    }

    static class Base<T> {
        T generic(T query) {
            return query;
        }

        protected List<T> listed(String query) {
            return List.of();
        }

        private String hidden(String query) {
            return query;
        }
    }

    static class Catalog extends Base<String> implements Answers<String> {
        String search(String query) throws IOException {
            return query;
        }

        List<String> searchAll(String query) {
            return List.of();
        }

        void store(int id, String... tags) {}

        int count(long[] ids) {
            return 0;
        }

        Object anything(String query) {
            return query;
        }

        private String own(String query) {
            return query;
        }

        static String fixed(String query) {
            return query;
        }

        String withFailure(String query, Throwable failure) {
            return query;
        }

        String withException(String query, Exception failure) {
            return query;
        }

        String withNarrowFailure(String query, IOException failure) {
            return query;
        }

        String otherParameters(int query) {
            return "";
        }

        int otherReturn(String query) {
            return 0;
        }

        List<Integer> searchAllNumbers(String query) {
            return List.of();
        }

        void storeLater(int id, String... tags) {}

        long countLong(long[] ids) {
            return 0;
        }

        int countInt(long[] ids) {
            return 0;
        }

        String both(String query) {
            return query;
        }

        String both(String query, Throwable failure) {
            return query;
        }
    }

    static class Special extends Catalog {
        String onlyBelow(String query) {
            return query;
        }
    }

    private static Optional<MethodFallback> find(String guarded, String fallback) {
        Method method = Arrays.stream(Catalog.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(guarded))
                .findFirst()
                .orElseThrow();
        return new FallbackMethods(method).find(fallback);
    }

    @ParameterizedTest
    @ValueSource(strings = {"own", "fixed", "generic", "byInterface", "withFailure", "withException", "both"})
    void accepts_what_is_accessible_and_has_the_same_parameters_and_return_type(String name) {
        assertThat(find("search", name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"hidden", "onlyBelow", "otherParameters", "otherReturn", "withNarrowFailure", "absent", "search"
            })
    void refuses_what_does_not_fit_and_the_guarded_method_itself(String name) {
        assertThat(find("search", name)).isEmpty();
    }

    @Test
    void resolves_the_type_variables_of_ancestors() {
        assertThat(find("searchAll", "listed")).isPresent();
    }

    @Test
    void refuses_other_type_arguments() {
        assertThat(find("searchAll", "searchAllNumbers")).isEmpty();
    }

    @Test
    void accepts_varargs_and_void_and_primitives() {
        assertThat(find("store", "storeLater")).isPresent();
        assertThat(find("count", "countInt")).isPresent();
        assertThat(find("count", "countLong")).isEmpty();
    }

    @Test
    void accepts_a_narrower_return_type() {
        assertThat(find("anything", "search")).isPresent();
        assertThat(find("search", "anything")).isEmpty();
    }

    @Test
    void names_what_bears_the_name_but_does_not_fit() {
        Method guarded = Arrays.stream(Catalog.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals("search"))
                .findFirst()
                .orElseThrow();
        assertThat(new FallbackMethods(guarded).candidates("otherReturn"))
                .singleElement()
                .asString()
                .contains("int")
                .contains("otherReturn(java.lang.String)");
    }
}
