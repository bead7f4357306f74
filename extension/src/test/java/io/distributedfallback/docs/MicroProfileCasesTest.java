package io.distributedfallback.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The page about the cases of the MicroProfile TCK says nothing that no test shows. */
class MicroProfileCasesTest {

    private static final Pattern CODE = Pattern.compile("`([^`]*)`");

    /** A line of one of the page's tables. */
    record Case(String name, String verdict, String reason, List<String> tests) {

        static Case of(String line) {
            String[] cells = line.split("\\s*\\|\\s*", -1);
            return new Case(
                    cells[1],
                    cells[2],
                    cells[3],
                    CODE.matcher(cells[4]).results().map(code -> code.group(1)).toList());
        }
    }

    private static List<Case> cases() {
        return Guide.page("microprofile-cases.md")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(Case::of)
                .toList();
    }

    @Test
    void each_case_is_the_same_or_something_else_with_the_reason() {
        assertThat(cases()).hasSizeGreaterThan(100).allSatisfy(one -> {
            assertThat(one.verdict()).isIn("same", "different", "nothing");
            if (!one.verdict().equals("same")) {
                assertThat(one.reason()).isNotBlank();
            }
        });
    }

    @Test
    void each_case_that_there_is_something_for_has_a_test() {
        assertThat(cases())
                .allSatisfy(one -> assertThat(one.tests().isEmpty())
                        .as(one.name())
                        .isEqualTo(one.verdict().equals("nothing")));
    }

    @Test
    void no_case_is_told_twice() {
        assertThat(cases()).extracting(Case::name).doesNotHaveDuplicates();
    }

    @Test
    void every_test_that_is_named_exists() {
        Map<String, String> sources = testSources();
        assertThat(cases().stream().flatMap(one -> one.tests().stream()))
                .isNotEmpty()
                .allSatisfy(test -> {
                    String[] classAndMethod = test.split("[.]", -1);
                    assertThat(sources).containsKey(classAndMethod[0]);
                    assertThat(sources.get(classAndMethod[0])).contains("void " + classAndMethod[1] + "(");
                });
    }

    /** The sources of all modules' tests, by the names of their classes. */
    private static Map<String, String> testSources() {
        return Stream.of("extension", "src/it", "src/tck")
                .map(Path.of("..")::resolve)
                .flatMap(MicroProfileCasesTest::javaFiles)
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replaceFirst("[.]java$", ""),
                        Guide::read,
                        (one, other) -> one + other));
    }

    private static Stream<Path> javaFiles(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
