package io.distributedfallback.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A journal is read while it is written. */
class DiaryTest {

    @TempDir
    Path folder;

    private Path journal;
    private Diary diary;

    private void write(String text) throws IOException {
        Files.writeString(journal, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    void what_has_come_since_is_added_and_half_a_line_waits_for_the_other() throws IOException {
        journal = folder.resolve("a.journal");
        diary = new Diary("a", journal);
        assertThat(losses()).isZero();

        write("store up 1\nstore down 2\nstore do");
        assertThat(losses()).isEqualTo(1);

        write("wn 3\n");
        assertThat(losses()).isEqualTo(2);
        assertThat(losses()).isEqualTo(2);
    }

    private long losses() {
        return diary.ask(
                pages -> pages.store().stream().filter(change -> !change.isUp()).count());
    }
}
