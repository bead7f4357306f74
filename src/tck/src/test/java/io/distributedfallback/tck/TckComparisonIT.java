package io.distributedfallback.tck;

import java.io.IOException;
import org.testng.annotations.Test;

import static io.distributedfallback.tck.TckRun.WITHOUT_EXTENSION;
import static io.distributedfallback.tck.TckRun.WITH_EXTENSION;
import static org.assertj.core.api.Assertions.assertThat;

/** Holds the two runs of {@code -Ptck} against each other. */
public class TckComparisonIT {

    @Test
    public void no_result_differs_from_a_run_without_the_extension() throws IOException {
        assertThat(WITHOUT_EXTENSION.recordedArchives()).isEmpty();
        assertThat(WITH_EXTENSION.resultsOfTheTck()).isNotEmpty().isEqualTo(WITHOUT_EXTENSION.resultsOfTheTck());
    }
}
