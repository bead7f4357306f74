package io.distributedfallback.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.testng.annotations.Test;

import static io.distributedfallback.tck.TckRun.WITH_EXTENSION;
import static org.assertj.core.api.Assertions.assertThat;

/** Looks back on the run of the TCK: a run that proves nothing must not pass. */
public class TckRunIT {

    private static final int OUR_OWN = 2;
    private static final Pattern SAID = Pattern.compile(" io[.]distributedfallback +[WE] (?<code>[A-Z0-9]*)");

    /** An application that the server refuses has been seen by the extension, or was refused before it could be. */
    @Test
    public void the_extension_was_in_every_archive_and_started_in_each_that_was_deployed() throws IOException {
        List<String> archives = WITH_EXTENSION.recordedArchives();
        List<String> log = WITH_EXTENSION.log().toList();
        long deployed = count(log, "CWWKZ0018I");
        long refused = count(log, "CWWKZ0002E");
        long started = count(log, "started; guarded methods:");
        assertThat(archives).hasSizeGreaterThan(OUR_OWN).hasSize((int) deployed);
        assertThat(started).isBetween(deployed - refused, deployed);
    }

    /** What is said is said of our own tests: one asks for a breaker where there is no store, the others guard methods. */
    @Test
    public void the_extension_had_nothing_to_say_about_applications_that_do_not_use_it() throws IOException {
        Map<String, Long> said = WITH_EXTENSION
                .log()
                .map(SAID::matcher)
                .filter(Matcher::find)
                .collect(Collectors.groupingBy(line -> line.group("code"), Collectors.counting()));
        assertThat(said).containsEntry("DFB307", 1L);
        assertThat(said.keySet()).isSubsetOf("DFB307", "DFB403", "DFB404");
    }

    private static long count(List<String> log, String text) {
        return log.stream().filter(line -> line.contains(text)).count();
    }

    @Test
    public void the_guide_has_every_case_about_a_fallback_or_a_breaker() throws IOException {
        String guide = Files.readString(Path.of("../site/markdown/microprofile-cases.md"));
        UnaryOperator<String> classOf = test -> test.substring(0, test.indexOf('.'));
        assertThat(WITH_EXTENSION.resultsOfTheTck().keySet().stream()
                        .map(test -> test.replaceAll("^.*[.]([^.]+[.][^.]+)$", "$1"))
                        .filter(test -> classOf.apply(test).matches(".*(Fallback|CircuitBreaker).*"))
                        .filter(test -> !test.contains("arquillian"))
                        .filter(test ->
                                !guide.contains("`" + test + "`") && !guide.contains("`" + classOf.apply(test) + "`")))
                .isEmpty();
    }
}
