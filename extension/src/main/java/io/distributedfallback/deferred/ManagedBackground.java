package io.distributedfallback.deferred;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.Retold;
import jakarta.enterprise.concurrent.ContextService;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.concurrent.ManagedExecutors;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.enterprise.concurrent.ManagedTask;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs work on the server's managed executors: with the application's class loader and naming context, without a
 * transaction and without a request. Keeps what it handed over, so that nothing outlives the application.
 */
public final class ManagedBackground implements Background, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");
    private static final String SCHEDULER = "java:comp/DefaultManagedScheduledExecutorService";
    private static final String LISTENER = "distributed-fallback: holds its thread";
    private static final String THREADS = "java:comp/DefaultManagedThreadFactory";
    private static final String CONTEXTS = "java:comp/DefaultContextService";

    private final String executorName;
    private final BeanManager beans;
    private final Set<Submitted> underWay = ConcurrentHashMap.newKeySet();
    private volatile ManagedExecutorService executor;
    private volatile ManagedScheduledExecutorService scheduler;
    private volatile ContextService contexts;
    private volatile boolean closed;

    /**
     * Nothing is looked up before {@link #lookUp()} or the first task.
     *
     * @param executorName the JNDI name of a {@code ManagedExecutorService}
     */
    public ManagedBackground(String executorName, BeanManager beans) {
        this.executorName = executorName;
        this.beans = beans;
    }

    /** Looks the executors up while the thread surely has the application's naming context; silent if it fails. */
    public void lookUp() {
        try {
            executor();
            scheduler();
            contexts();
        } catch (RejectedExecutionException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "looked up again at first use", e);
        }
    }

    @Override
    public Task run(Runnable task) {
        return submit(task, executor()::submit);
    }

    /** Says that it takes long, so that a server that has other threads for such tasks can give one of those. */
    @Override
    public Task hold(Runnable task) {
        ManagedExecutorService threads = executor();
        return submit(
                task,
                code -> threads.submit(ManagedExecutors.managedTask(
                        code,
                        Map.of(ManagedTask.LONGRUNNING_HINT, "true", ManagedTask.IDENTITY_NAME, LISTENER),
                        null)));
    }

    @Override
    public Task last(Runnable task) {
        try {
            ManagedThreadFactory threads = ServerResource.lookUp(THREADS, () -> ManagedThreadFactory.class);
            return submit(task, code -> {
                FutureTask<Void> future = new FutureTask<>(code, null);
                threads.newThread(future).start();
                return future;
            });
        } catch (RejectedExecutionException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "no thread of its own for the stop", e);
            return run(task);
        }
    }

    @Override
    public Task schedule(Duration delay, Runnable task) {
        ManagedScheduledExecutorService timer = scheduler();
        return submit(task, code -> timer.schedule(code, delay.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override
    public void afterRequest(Runnable task) {
        if (isServingRequest()) {
            beans.createInstance().select(RequestEnd.class).get().whenEnded(() -> runUnlessRejected(task));
        } else {
            run(task);
        }
    }

    @Override
    public Executor callersContext() {
        try {
            return contexts().currentContextExecutor();
        } catch (RejectedExecutionException | IllegalStateException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "the caller's context is not kept", e);
            return Runnable::run;
        }
    }

    private boolean isServingRequest() {
        try {
            return beans.getContext(RequestScoped.class).isActive();
        } catch (ContextNotActiveException e) {
            return false;
        }
    }

    /** Nobody is left to tell; the next call that notices hands the task over again. */
    private void runUnlessRejected(Runnable task) {
        try {
            run(task);
        } catch (RejectedExecutionException e) {
            Retold.log(LOG, System.Logger.Level.DEBUG, "not run after the request", e);
        }
    }

    private Task submit(Runnable task, Start start) {
        if (closed) {
            throw new RejectedExecutionException("the application stops");
        }
        Submitted submitted = new Submitted(task);
        underWay.add(submitted);
        try {
            submitted.future = start.start(submitted);
        } catch (RuntimeException | OutOfMemoryError e) {
            underWay.remove(submitted);
            // Servers reject with their own exceptions as well, of a state that is illegal for instance, and a system
            // that has no more threads with an error of memory.
            throw e instanceof RejectedExecutionException rejected ? rejected : new RejectedExecutionException(e);
        }
        if (closed) {
            // It slipped in while the application stopped.
            submitted.takeBack();
        }
        return submitted;
    }

    private ManagedExecutorService executor() {
        if (executor == null) {
            executor = ServerResource.lookUp(executorName, () -> ManagedExecutorService.class);
        }
        return executor;
    }

    private ManagedScheduledExecutorService scheduler() {
        if (scheduler == null) {
            scheduler = ServerResource.lookUp(SCHEDULER, () -> ManagedScheduledExecutorService.class);
        }
        return scheduler;
    }

    private ContextService contexts() {
        if (contexts == null) {
            contexts = ServerResource.lookUp(CONTEXTS, () -> ContextService.class);
        }
        return contexts;
    }

    /** Takes back what has not begun, tells whoever waits for it, and interrupts what has begun. */
    @Override
    public void close() {
        closed = true;
        underWay.forEach(Submitted::takeBack);
    }

    private interface Start {
        Future<?> start(Runnable code);
    }

    private final class Submitted implements Runnable, Task {

        private final Runnable task;
        private final AtomicBoolean decided = new AtomicBoolean();
        private volatile Future<?> future;

        Submitted(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (!decided.compareAndSet(false, true)) {
                return;
            }
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                // The future keeps it, and nobody asks the future.
                Retold.log(LOG, System.Logger.Level.WARNING, "a background task failed", e);
            } finally {
                underWay.remove(this);
            }
        }

        @Override
        public void cancel() {
            underWay.remove(this);
            Future<?> handle = future;
            if (handle != null) {
                handle.cancel(true);
            }
        }

        /** Whether it runs or is taken back is decided once: an executor may begin it in the same moment. */
        void takeBack() {
            boolean never = decided.compareAndSet(false, true);
            cancel();
            if (never && task instanceof Awaited awaited) {
                try {
                    awaited.takenBack();
                } catch (RuntimeException | Error e) {
                    Retold.log(LOG, System.Logger.Level.WARNING, "whoever waits for a background task was not told", e);
                }
            }
        }
    }
}
