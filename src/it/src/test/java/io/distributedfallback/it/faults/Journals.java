package io.distributedfallback.it.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What instances have written down, by instance. */
public final class Journals {

    private final Map<String, Pages> byInstance = new LinkedHashMap<>();

    /** A visitor's call. */
    public record Call(String instance, String breaker, String outcome, long began, long ended, long primaryNanos) {}

    /** What an instance says of the store. */
    public record StoreChange(boolean isUp, long at) {}

    /** A change that an instance was told of. */
    public record Told(String breaker, String to, long at) {}

    /** A line of the log that tells of the store, of which nothing is kept but its code. */
    public record Logged(String code, long at) {

        private static final Set<String> LOSSES =
                Set.of("DFB301", "DFB302", "DFB303", "DFB304", "DFB305", "DFB306", "DFB307");

        /** Whether it says that the store is lost. */
        public boolean isLoss() {
            return LOSSES.contains(code);
        }
    }

    /**
     * What an instance was told of its connection to the store, by the product's own event.
     *
     * @param kind {@code watched} from when on it listens, {@code down} or {@code up}
     */
    public record Connection(String kind, long at) {}

    /** Of one instance. */
    public static final class Pages {

        private final List<Call> calls = new ArrayList<>();
        private final List<Records.Span> stalls = new ArrayList<>();
        private final List<StoreChange> store = new ArrayList<>();
        private final List<Connection> connection = new ArrayList<>();
        private final List<Told> told = new ArrayList<>();
        private final List<Logged> log = new ArrayList<>();
        private final List<String> visitors = new ArrayList<>();

        public List<Call> calls() {
            return calls;
        }

        public List<Records.Span> stalls() {
            return stalls;
        }

        public List<StoreChange> store() {
            return store;
        }

        public List<Connection> connection() {
            return connection;
        }

        public List<Told> told() {
            return told;
        }

        public List<Logged> log() {
            return log;
        }

        public List<String> visitors() {
            return visitors;
        }

        void add(String instance, long from, String line) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "call" -> {
                    long began = Long.parseLong(words[3]);
                    if (began >= from) {
                        long ended = Long.parseLong(words[4]);
                        calls.add(new Call(instance, words[1], words[2], began, ended, Long.parseLong(words[5])));
                    }
                }
                case "stall" -> stalls.add(new Records.Span(Long.parseLong(words[1]), Long.parseLong(words[2])));
                case "store" -> store.add(new StoreChange(words[1].equals("up"), Long.parseLong(words[2])));
                case "connection" -> connection.add(new Connection(words[1], Long.parseLong(words[2])));
                case "transition" -> {
                    long at = Long.parseLong(words[3]);
                    if (at >= from) {
                        told.add(new Told(words[1], words[2], at));
                    }
                }
                case "log" -> log.add(new Logged(words[1], Long.parseLong(words[2])));
                case "visitors" -> visitors.add(words[1]);
                default -> throw new IllegalStateException("not a line of a journal: " + line);
            }
        }
    }

    /**
     * Reads one.
     *
     * @param from calls that began earlier are left out, and so are changes that were told earlier
     */
    void read(String instance, Path journal, long from) {
        Pages pages = new Pages();
        byInstance.put(instance, pages);
        if (!Files.exists(journal)) {
            return;
        }
        try {
            String written = Files.readString(journal);
            // What stands behind the last line's end is being written now.
            written.substring(0, written.lastIndexOf('\n') + 1)
                    .lines()
                    .forEach(line -> pages.add(instance, from, line));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Pages of(String instance) {
        return byInstance.get(instance);
    }

    public Stream<Call> calls() {
        return byInstance.values().stream().flatMap(pages -> pages.calls().stream());
    }

    public Stream<Told> told() {
        return byInstance.values().stream().flatMap(pages -> pages.told().stream());
    }
}
