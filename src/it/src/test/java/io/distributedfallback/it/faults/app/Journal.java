package io.distributedfallback.it.faults.app;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What an instance writes down as it happens, a line each. Each line is one write, so that a process that is killed leaves
 * whole lines, and nothing behind. Times are those of {@link System#nanoTime()}, which all processes of a machine share
 * on Linux, and which no change of the wall clock moves.
 */
@ApplicationScoped
public class Journal {

    private static final String FILE = System.getProperty("faults.journal", "target/faults/journal");

    private final OutputStream out = open();

    private static OutputStream open() {
        try {
            return new FileOutputStream(FILE, true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Somebody called.
     *
     * @param breaker which
     * @param outcome {@code primary}, {@code fallback} or {@code broken}
     * @param began when the visitor called
     * @param ended when the visitor had the answer
     * @param primaryNanos how much of that was spent at the provider; 0 if it was not asked
     */
    public void call(String breaker, String outcome, long began, long ended, long primaryNanos) {
        write("call " + breaker + ' ' + outcome + ' ' + began + ' ' + ended + ' ' + primaryNanos);
    }

    /** The process did not run from one moment to the other, though it wanted to. */
    public void stall(long from, long to) {
        write("stall " + from + ' ' + to);
    }

    /** What the instance says of the store. */
    public void store(boolean isUp) {
        write("store " + (isUp ? "up" : "down") + ' ' + System.nanoTime());
    }

    /** What the product tells of it: that it is {@code watched}, {@code down} or {@code up}. */
    void connection(String kind) {
        write("connection " + kind + ' ' + System.nanoTime());
    }

    public void transition(String breaker, String to) {
        write("transition " + breaker + ' ' + to + ' ' + System.nanoTime());
    }

    /** A line of the log with that code. */
    void log(String code) {
        write("log " + code + ' ' + System.nanoTime());
    }

    /** All visitors have left, or come back. */
    public void visitors(boolean areThere) {
        write("visitors " + (areThere ? "there" : "gone") + ' ' + System.nanoTime());
    }

    private void write(String line) {
        byte[] bytes = (line + '\n').getBytes(StandardCharsets.UTF_8);
        try {
            synchronized (this) {
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
