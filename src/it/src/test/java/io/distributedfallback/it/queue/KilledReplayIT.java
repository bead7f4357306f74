package io.distributedfallback.it.queue;

import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.queue.NewCall;
import io.distributedfallback.store.JdbcCallStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** 10,000 stored calls are made by three JVMs, of which one is killed (SIGKILL) after each 1,500 calls and replaced. */
class KilledReplayIT {

    private static final int CALLS = 10_000;
    private static final int KEYS = 500;
    private static final int INSTANCES = 3;
    private static final int CALLS_BETWEEN_KILLS = 1500;

    /** On a machine that does nothing else it takes a third of that. */
    private static final Duration LONGEST = Duration.ofSeconds(110);

    /** Those that were entered again, and by whom they had been entered before. */
    private static final String AGAIN = """
            (SELECT b.call_id, b.instance, b.thread, b.entry,
                    lead(b.entry) OVER (PARTITION BY b.call_id ORDER BY b.entry) AS later,
                    max(b.entry) OVER (PARTITION BY b.instance, b.thread) AS last_of_thread
               FROM book AS b) AS e WHERE e.later IS NOT NULL
            """;

    private final List<Instance> running = new ArrayList<>();
    private final List<String> killed = new ArrayList<>();
    private int started;

    private record Instance(String name, Process process) {}

    @Test
    void none_is_lost_keys_stay_in_order_and_only_a_kill_between_call_and_commit_repeats_one() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        try (Postgres postgres = Postgres.empty()) {
            prepare(postgres);
            storeAll(postgres);
            long begun = System.nanoTime();
            for (int i = 0; i < INSTANCES; i++) {
                start(postgres);
            }
            while (count(postgres, "SELECT count(*) FROM distributed_queued_call") > 0) {
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as("seed %s", seed)
                        .isLessThan(LONGEST);
                TimeUnit.MILLISECONDS.sleep(100);
                if (count(postgres, "SELECT count(*) FROM book") >= (killed.size() + 1L) * CALLS_BETWEEN_KILLS) {
                    killOne(random);
                    start(postgres);
                }
            }
            long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            killAll();
            check(postgres, seed, millis);
        } finally {
            killAll();
        }
    }

    private void check(Postgres postgres, long seed, long millis) {
        long entries = count(postgres, "SELECT count(*) FROM book");
        long repeated = count(postgres, "SELECT count(*) FROM " + AGAIN);
        System.out.printf(
                "queue: %d calls over %d keys in %.1f s, %d JVMs killed, %d entries, %d repeated (seed %d)%n",
                CALLS, KEYS, millis / 1000.0, killed.size(), entries, repeated, seed);
        assertThat(count(postgres, "SELECT count(DISTINCT call_id) FROM book"))
                .as("none lost")
                .isEqualTo(CALLS);
        assertThat(count(postgres, "SELECT count(*) FROM distributed_queued_call"))
                .isZero();
        assertThat(killed).as("instances killed while calls were made").hasSizeGreaterThan(4);
        assertThat(count(
                        postgres,
                        "SELECT count(*) FROM (SELECT call_id, lag(call_id) OVER (PARTITION BY arguments ORDER BY entry)"
                                + " AS before FROM book) AS b WHERE call_id < before"))
                .as("calls of a key that were made before an older one, seed %s", seed)
                .isZero();
        assertThat(count(postgres, "SELECT count(*) FROM " + AGAIN + " AND e.entry <> e.last_of_thread"))
                .as("repeated calls that were not the last of a thread that a kill ended, seed %s", seed)
                .isZero();
        assertThat(count(
                        postgres,
                        "SELECT count(*) FROM " + AGAIN + " AND e.instance NOT IN ('" + String.join("','", killed)
                                + "')"))
                .as("repeated calls of instances that were not killed, seed %s", seed)
                .isZero();
    }

    private static void prepare(Postgres postgres) throws IOException {
        try (InputStream file =
                Objects.requireNonNull(JdbcCallStore.class.getResourceAsStream("postgresql/V6__call_queue.sql"))) {
            postgres.execute(
                    "postgres",
                    new String(file.readAllBytes(), StandardCharsets.UTF_8),
                    "CREATE TABLE book (entry bigint GENERATED ALWAYS AS IDENTITY, instance text, thread text,"
                            + " call_id bigint, arguments text)");
        }
    }

    /** The arguments are the key, so that the book has it too. */
    private static void storeAll(Postgres postgres) throws Exception {
        JdbcCallStore store = ReplayingInstance.store(new KeptConnections(postgres.port()), "parent");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> parts = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int first = thread;
                parts.add(threads.submit(() -> {
                    for (int i = first; i < CALLS; i += 4) {
                        String key = "key-" + i % KEYS;
                        store.store(new NewCall(ReplayingInstance.QUEUE, Optional.of(key), key, Duration.ZERO));
                    }
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void start(Postgres postgres) throws IOException {
        started++;
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        String name = "instance-" + started;
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:TieredStopAtLevel=1",
                        "-Xshare:auto",
                        "-cp",
                        classes,
                        ReplayingInstance.class.getName(),
                        Integer.toString(postgres.port()),
                        name)
                .inheritIO()
                .start();
        running.add(new Instance(name, process));
    }

    private void killOne(Random random) throws InterruptedException {
        Instance chosen = running.remove(random.nextInt(running.size()));
        killed.add(chosen.name());
        chosen.process().destroyForcibly().waitFor();
    }

    private void killAll() {
        running.forEach(instance -> instance.process().destroyForcibly());
        running.clear();
    }

    private static long count(Postgres postgres, String sql) {
        return Objects.requireNonNull(postgres.ask("postgres", Long.class, sql));
    }
}
