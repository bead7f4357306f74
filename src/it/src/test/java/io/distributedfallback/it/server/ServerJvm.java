package io.distributedfallback.it.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;

/** What a server's virtual machine holds on to, asked from outside. */
final class ServerJvm {

    private static final Pattern THREAD = Pattern.compile("(?m)^\"([^\"]+)\"[^\n]*\n(?:[ \t]+[^\n]*\n)*");

    /** Of the application and the jar under test, not of the neighbour. */
    private static final Pattern OURS = Pattern.compile("at io\\.distributedfallback\\.(?!it\\.server\\.neighbour)");

    private static final int COLLECTIONS = 3;

    private final ProcessHandle process;

    ServerJvm(ProcessHandle process) {
        this.process = process;
    }

    /** The stacks of threads that run code of a guarded application, or of the jar under test. */
    List<String> threadsOfApplications() {
        return threads().filter(thread -> OURS.matcher(thread).find()).toList();
    }

    /** The number of threads that are not the server's own, which grow and shrink with its load. */
    long threadsBesideTheServers() {
        return threads()
                .filter(thread -> !thread.startsWith("\"Default Executor-thread")
                        && !thread.startsWith("\"Scheduled Executor-thread"))
                .count();
    }

    private Stream<String> threads() {
        return THREAD.matcher(command("Thread.print")).results().map(MatchResult::group);
    }

    /**
     * How often a class is loaded, each by a class loader of its own, after a full collection.
     *
     * @param allowed of more than these it is told who holds them: the dump is not kept
     */
    Copies copiesOf(String className, int allowed) {
        collect();
        try {
            Path folder = Files.createTempDirectory("heap");
            try {
                return copies(className, allowed, folder.resolve("heap.hprof"));
            } finally {
                delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Copies copies(String className, int allowed, Path file) throws IOException {
        String unused = command("GC.heap_dump", file.toString());
        Heap heap = HeapFactory.createHeap(file.toFile());
        List<Instance> loaders = new ArrayList<>();
        for (Object loaded : heap.getAllClasses()) {
            if (loaded instanceof JavaClass type && type.getName().equals(className)) {
                loaders.add(type.getClassLoader());
            }
        }
        String heldBy =
                loaders.size() > allowed ? loaders.stream().map(Roots::pathTo).collect(Collectors.joining("\n\n")) : "";
        return new Copies(loaders.size(), heldBy, Files.size(file));
    }

    /** With what the reader has put beside the dump. */
    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** More than once, for what has a finalizer or a cleaner is only gone after it has run. */
    private void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            String unused = command("GC.run") + command("GC.run_finalization");
        }
    }

    /**
     * Copies of one class.
     *
     * @param count one for each class loader that is still there
     * @param heldBy how the first loader is reached, if there are too many
     * @param heapBytes the size of the dump
     */
    record Copies(int count, String heldBy, long heapBytes) {}

    private String command(String... command) {
        try {
            List<String> line = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(process.pid())));
            line.addAll(List.of(command));
            Process asked = new ProcessBuilder(line).redirectErrorStream(true).start();
            String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (asked.waitFor() != 0) {
                throw new IllegalStateException(answer);
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
