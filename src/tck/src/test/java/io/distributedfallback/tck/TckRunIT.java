package io.distributedfallback.tck;

import java.io.IOException;
import org.testng.annotations.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks back on the run of the TCK. */
public class TckRunIT {

    @Test
    public void the_extension_was_in_the_archives() throws IOException {
        assertThat(TckRun.of("tck").recordedArchives()).isNotEmpty();
    }
}
