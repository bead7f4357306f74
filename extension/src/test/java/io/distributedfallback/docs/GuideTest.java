package io.distributedfallback.docs;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.core.ProblemCode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The guide says what is in the code. */
class GuideTest {

    private static final String MESSAGES = "messages.md";
    private static final Pattern HEADING = Pattern.compile("(?m)^### (DFB[0-9]{3})$");

    @ParameterizedTest
    @EnumSource(ProblemCode.class)
    void every_message_has_a_section_with_its_text_and_a_remedy(ProblemCode code) {
        String page = Guide.page(MESSAGES);
        int start = page.indexOf("\n### " + code + "\n");
        assertThat(start).as("a section on %s", code).isNotNegative();
        int end = page.indexOf("\n##", start + 1);
        assertThat(page.substring(start, end < 0 ? page.length() : end))
                .contains("\n    " + code + ": " + code.summary())
                .contains("\n*Remedy:* ");
    }

    @Test
    void no_section_is_about_a_message_that_does_not_exist() {
        assertThat(HEADING.matcher(Guide.page(MESSAGES)).results().map(heading -> heading.group(1)))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(ProblemCode.values()).map(Enum::name).toList());
    }

    @Test
    void no_page_names_a_message_that_does_not_exist() {
        List<String> codes = Arrays.stream(ProblemCode.values()).map(Enum::name).toList();
        assertThat(Guide.pages())
                .allSatisfy(page -> assertThat(Pattern.compile("DFB[0-9]{3}")
                                .matcher(Guide.read(page))
                                .results()
                                .map(MatchResult::group))
                        .isSubsetOf(codes));
    }

    @Test
    void every_public_type_is_on_some_page() throws IOException, URISyntaxException {
        String guide = Guide.pages().stream().map(Guide::read).collect(Collectors.joining("\n"));
        assertThat(publicTypes())
                .isNotEmpty()
                .allSatisfy(type -> assertThat(guide).containsPattern("\\b" + type + "\\b"));
    }

    @Test
    void every_link_to_a_file_leads_to_one() {
        List<Path> links = Guide.pages().stream().flatMap(Guide::localLinks).toList();
        assertThat(links).isNotEmpty().allSatisfy(target -> assertThat(target).exists());
    }

    private static List<String> publicTypes() throws IOException, URISyntaxException {
        Path classes = Path.of(DistributedFallback.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.list(classes.resolve("io/distributedfallback"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.startsWith("package-info"))
                    .map(name -> name.substring(0, name.length() - ".class".length()))
                    .toList();
        }
    }
}
