package io.distributedfallback.deferred;

import io.distributedfallback.core.Background;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.naming.Context;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What becomes of tasks when the application stops. With one real thread, under the names of a server. */
@Timeout(60)
class ManagedBackgroundTest {

    private static ManagedScheduledExecutorService threads;

    private final ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
    private final ManagedBackground background = new ManagedBackground("java:comp/DefaultManagedExecutorService", null);
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Answers each name with the thread of the test, and one with a factory of more. */
    public static final class Names implements InitialContextFactory {
        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) {
            return (Context) Proxy.newProxyInstance(
                    Names.class.getClassLoader(),
                    new Class<?>[] {Context.class},
                    (proxy, method, arguments) ->
                            arguments[0].equals("java:comp/DefaultManagedThreadFactory") ? new MoreThreads() : threads);
        }
    }

    private static final class MoreThreads implements ManagedThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            return new Thread(task);
        }

        @Override
        public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeEach
    void start() throws Exception {
        threads = (ManagedScheduledExecutorService) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ManagedScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Names.class.getName());
    }

    @AfterEach
    void stop() {
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
        pool.shutdownNow();
    }

    private Background.Awaited task(String name) {
        return Background.Awaited.of(() -> told.add(name + " ran"), () -> told.add(name + " taken back"));
    }

    /** The one thread is busy until it is interrupted. */
    private void keepBusy() throws InterruptedException {
        background.run(() -> {
            begun.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(1).toMillis());
            } catch (InterruptedException e) {
                told.add("interrupted");
            } finally {
                ended.countDown();
            }
        });
        begun.await();
    }

    @Test
    void what_waits_for_a_thread_or_for_its_time_is_told_that_it_will_not_run() throws Exception {
        keepBusy();
        background.run(task("queued"));
        background.schedule(Duration.ofHours(1), task("timer"));
        background.run(() -> told.add("nobody waits for this"));
        background.close();
        ended.await();
        assertThat(told).containsExactlyInAnyOrder("queued taken back", "timer taken back", "interrupted");
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(told).hasSize(3);
    }

    @Test
    void what_has_run_or_was_cancelled_is_told_nothing() throws Exception {
        background.run(task("first"));
        background.schedule(Duration.ofHours(1), task("second")).cancel();
        pool.submit(() -> {}).get();
        background.close();
        assertThat(told).containsExactly("first ran");
    }

    @Test
    void one_that_cannot_bear_to_be_told_does_not_keep_the_others_from_it() throws Exception {
        // No thread of the background's, so that it ends when the test says so, and none of the three begins.
        CountDownLatch release = new CountDownLatch(1);
        Future<?> busy = pool.submit(() -> {
            release.await();
            return null;
        });
        for (int i = 0; i < 3; i++) {
            background.run(Background.Awaited.of(() -> told.add("ran"), () -> {
                told.add("taken back");
                throw new IllegalStateException("cannot bear it");
            }));
        }
        background.close();
        release.countDown();
        busy.get();
        pool.shutdown();
        assertThat(pool.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        assertThat(told).containsExactly("taken back", "taken back", "taken back");
    }

    @Test
    void an_application_that_has_stopped_takes_nothing_more() {
        background.close();
        assertThatThrownBy(() -> background.run(task("late"))).isInstanceOf(RejectedExecutionException.class);
        assertThat(told).isEmpty();
    }

    @Test
    void last_words_wait_for_no_executor_whose_threads_all_hang() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        Future<?> hanging = pool.submit(() -> {
            release.await();
            return null;
        });
        CompletableFuture<Thread> spoken = new CompletableFuture<>();
        background.last(() -> spoken.complete(Thread.currentThread()));
        assertThat(spoken.get()).isNotSameAs(Thread.currentThread());
        release.countDown();
        hanging.get();
    }

    @Test
    void last_words_are_spoken_though_the_server_has_shut_its_executor_down() throws Exception {
        pool.shutdown();
        CompletableFuture<Thread> spoken = new CompletableFuture<>();
        background.last(() -> spoken.complete(Thread.currentThread()));
        assertThat(spoken.get()).isNotSameAs(Thread.currentThread());
        spoken.get().join();
        assertThatThrownBy(() -> background.run(task("another"))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void last_words_that_take_too_long_are_interrupted_at_the_end() throws Exception {
        pool.shutdown();
        background.last(() -> {
            begun.countDown();
            try {
                Thread.sleep(Duration.ofMinutes(1).toMillis());
            } catch (InterruptedException e) {
                ended.countDown();
            }
        });
        begun.await();
        background.close();
        ended.await();
        assertThatThrownBy(() -> background.last(task("late"))).isInstanceOf(RejectedExecutionException.class);
    }
}
