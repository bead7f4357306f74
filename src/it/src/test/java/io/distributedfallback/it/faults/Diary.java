package io.distributedfallback.it.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** The journal of an instance that is still writing it: read on each time from where it ended the last time. Thread-safe. */
final class Diary {

    private final String instance;
    private final Path journal;
    private final Journals.Pages pages = new Journals.Pages();
    private long read;

    Diary(String instance, Path journal) {
        this.instance = instance;
        this.journal = journal;
    }

    /** Asks something of all that has been written down so far. */
    synchronized <T> T ask(Function<Journals.Pages, T> question) {
        if (Files.exists(journal)) {
            readOn();
        }
        return question.apply(pages);
    }

    private void readOn() {
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(file.length() - read)];
            file.seek(read);
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.US_ASCII);
            // Of the last line there may be only half.
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            read += whole.length();
            whole.lines().forEach(line -> pages.add(instance, 0, line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
