package io.distributedfallback.it.queue;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.queue.CallQueues;
import io.distributedfallback.queue.Gate;
import io.distributedfallback.queue.Outcome;
import io.distributedfallback.queue.QueueListener;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.QueueParts;
import io.distributedfallback.queue.QueueRules;
import io.distributedfallback.queue.TakenCall;
import io.distributedfallback.store.JdbcCallStore;
import io.distributedfallback.store.JpaStoreSettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An instance in a JVM of its own: makes stored calls until it is killed. To make a call is to enter it in the provider's
 * book, which commits by itself; that the queue knows of it is another commit, a moment later.
 */
public final class ReplayingInstance {

    static final QueueName QUEUE = new QueueName("provider", "com.example.Provider#enter(java.lang.String,int)");
    static final Duration LEASE = Duration.ofSeconds(2);
    static final int RATE = 700;

    private ReplayingInstance() {}

    /** Arguments: the port of the database, and the name of the instance. */
    public static void main(String[] arguments) throws InterruptedException {
        KeptConnections database = new KeptConnections(Integer.parseInt(arguments[0]));
        CallQueues queues = new CallQueues(new QueueParts(
                store(database, arguments[1]),
                new OpenGate(),
                new Threads(),
                System::nanoTime,
                new QueueListener() {},
                LEASE));
        queues.add(
                QUEUE,
                new QueueRules(1000, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofDays(1), RATE),
                call -> enter(database, arguments[1], call));
        queues.start(true);
        Thread.currentThread().join();
    }

    static JdbcCallStore store(KeptConnections database, String instance) {
        JpaStoreSettings settings = new JpaStoreSettings(
                () -> database, "jdbc/provider", SchemaMode.NONE, "", instance, Duration.ofSeconds(20));
        return new JdbcCallStore(settings, settings, () -> {});
    }

    private static Outcome enter(KeptConnections database, String instance, TakenCall call) {
        try (Connection connection = database.getConnection();
                PreparedStatement entry = connection.prepareStatement(
                        "INSERT INTO book (instance, thread, call_id, arguments) VALUES (?, ?, ?, ?)")) {
            entry.setString(1, instance);
            entry.setString(2, Thread.currentThread().getName());
            entry.setLong(3, call.id());
            entry.setString(4, call.arguments());
            entry.executeUpdate();
            return Outcome.DONE;
        } catch (SQLException e) {
            return new Outcome(Outcome.Kind.FAILED, FailureText.of(e));
        }
    }

    private static final class OpenGate implements Gate {

        @Override
        public boolean isClear(String breaker) {
            return true;
        }

        @Override
        public void lookAfter(String breaker) {
            throw new IllegalStateException("the breaker is closed all the time");
        }
    }

    private static final class Threads implements Background {

        private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(10);

        @Override
        public Task run(Runnable task) {
            Future<?> future = threads.submit(task);
            return () -> future.cancel(true);
        }

        @Override
        public void afterRequest(Runnable task) {
            threads.execute(task);
        }

        @Override
        public Executor callersContext() {
            return Runnable::run;
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            Future<?> future = threads.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(true);
        }
    }
}
