package io.distributedfallback.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The page of field cases names tests that there are, and leaves no case out. */
class FieldCasesTest {

    private static final String PAGE = "field-cases.md";

    /** What makes a method a test, up to its return type: more annotations may stand between the two. */
    private static final String ANNOTATIONS = "@(?:Test|ParameterizedTest)\\b[^;]*?";

    /**
     * A row of the table.
     *
     * @param number such as A1
     * @param module the directory of the module, that of the extension by default
     * @param type the simple name of the class
     * @param method the method's name
     */
    private record Row(String number, String module, String type, String method) {

        private static final Pattern TEST =
                Pattern.compile("`(?<type>\\w+)\\.(?<method>\\w+)`(?: in `(?<module>[^`]+)`)?");

        static Row of(String line) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            var test = TEST.matcher(cells[4]);
            assertThat(test.matches()).as(line).isTrue();
            String module = test.group("module");
            return new Row(cells[1], module == null ? "extension" : module, test.group("type"), test.group("method"));
        }
    }

    @Test
    void every_test_that_is_named_exists() {
        assertThat(rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(sourceOf(row))
                        .as("%s.%s in %s", row.type(), row.method(), row.module())
                        .containsPattern(ANNOTATIONS + "void " + row.method() + "\\("));
    }

    @Test
    void no_case_is_left_out() {
        List<String> cases = Stream.of(
                        numbers("A", 14),
                        numbers("B", 7),
                        Stream.of("C9", "C12", "C13", "C14"),
                        numbers("D", 12),
                        numbers("E", 11))
                .flatMap(numbers -> numbers)
                .toList();
        assertThat(rows().stream().map(Row::number).distinct()).containsExactlyElementsOf(cases);
    }

    private static Stream<String> numbers(String part, int last) {
        return IntStream.rangeClosed(1, last).mapToObj(number -> part + number);
    }

    private static List<Row> rows() {
        return Guide.page(PAGE)
                .lines()
                .filter(line -> line.matches("\\| [A-E][0-9]+ \\|.*"))
                .map(Row::of)
                .toList();
    }

    private static String sourceOf(Row row) {
        return Guide.sources(Path.of("..", row.module(), "src/test/java"), row.type() + ".java")
                .collect(Collectors.joining());
    }
}
