package io.distributedfallback.cdi;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    static class Shapes<E> {
        E[] array(E[] elements) {
            return elements;
        }

        List<? extends Number> wild(List<?> list) {
            return List.of();
        }

        <A extends Comparable<A>> A method(A argument, List<A> list) {
            return argument;
        }

        List<String> narrow() {
            return List.of();
        }

        List<? super Integer> lower() {
            return List.of();
        }
    }

    @SuppressWarnings("rawtypes")
    static class TextShapes extends Shapes<String> {
        String[] sameArray(String[] elements) {
            return elements;
        }

        List<Integer> integers(List<?> list) {
            return List.of();
        }

        List<String> strings(List<?> list) {
            return List.of();
        }

        List<Number> otherList(List<? extends Number> list) {
            return List.of();
        }

        List<Number> rawList(List list) {
            return List.of();
        }

        <B extends Comparable<B>> B otherName(B argument, List<B> list) {
            return argument;
        }

        <B extends Number> B otherBound(B argument, List<B> list) {
            return argument;
        }

        java.util.AbstractList<String> arrayOfStrings() {
            return new java.util.ArrayList<>();
        }

        java.util.AbstractList<Integer> arrayOfIntegers() {
            return new java.util.ArrayList<>();
        }

        static class Texts extends java.util.ArrayList<String> {
            private static final long serialVersionUID = 1L;
        }

        Texts texts() {
            return new Texts();
        }

        List raw() {
            return List.of();
        }

        List<Object> objects() {
            return List.of();
        }

        @Override
        String[] array(String[] elements) {
            return elements;
        }

        @Override
        List<? extends Number> wild(List<?> list) {
            return List.of();
        }

        @Override
        <A extends Comparable<A>> A method(A argument, List<A> list) {
            return argument;
        }

        @Override
        List<String> narrow() {
            return List.of();
        }

        @Override
        List<? super Integer> lower() {
            return List.of();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "array, sameArray, true",
        "wild, integers, true",
        "wild, strings, false",
        "wild, otherList, false",
        "wild, rawList, false",
        "method, otherName, true",
        "method, otherBound, false",
        "narrow, arrayOfStrings, true",
        "narrow, arrayOfIntegers, false",
        "narrow, texts, true",
        "narrow, raw, true",
        "narrow, objects, false",
        "lower, objects, true",
        "lower, texts, false"
    })
    void compares_type_arguments_as_the_compiler_does(String guarded, String fallback, boolean fits) {
        Method method = Arrays.stream(TextShapes.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals(guarded) && !candidate.isBridge())
                .findFirst()
                .orElseThrow();
        assertThat(new FallbackMethods(method).find(fallback).isPresent()).isEqualTo(fits);
    }

    @Test
    void takes_the_default_method_of_an_interface_of_a_superclass_and_none_that_the_platform_hides() {
        assertThat(find("search", "byInterface")).isPresent();
        Method ending = Arrays.stream(Ending.class.getDeclaredMethods())
                .filter(candidate -> candidate.getName().equals("end"))
                .findFirst()
                .orElseThrow();
        assertThat(new FallbackMethods(ending).find("finalize")).isEmpty();
    }

    static class Ending {
        void end() {}
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

    static class Page<T> {
        Page<T> next() {
            return this;
        }

        Last<T> last() {
            return new Last<>();
        }

        Last<String> lastOfTexts() {
            return new Last<>();
        }

        Last<List<T>> lastOfLists() {
            return new Last<>();
        }
    }

    static class Last<U> extends Page<U> {}

    @Test
    @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // nothing interrupts an endless loop
    void compares_a_generic_class_with_its_own_subclass() throws Exception {
        FallbackMethods methods = new FallbackMethods(Page.class.getDeclaredMethod("next"));
        assertThat(methods.find("last")).isPresent();
        assertThat(methods.find("lastOfTexts")).isEmpty();
        assertThat(methods.find("lastOfLists")).isEmpty();
    }
}
