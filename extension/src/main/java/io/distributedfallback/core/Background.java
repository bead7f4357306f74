package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Work off the caller's thread. A task runs on a managed thread with no transaction. No method waits for a task, and a
 * task's exception reaches nobody. Each method throws a {@link java.util.concurrent.RejectedExecutionException} if no
 * thread can be had.
 */
public interface Background {

    /** Runs a task as soon as a thread is free. */
    Task run(Runnable task);

    /**
     * Runs a task that keeps its thread for a long time, maybe until the application stops, as soon as a thread is free.
     * By default as {@link #run} does.
     */
    default Task hold(Runnable task) {
        return run(task);
    }

    /** Runs a task when the request that the caller serves has been completed; at once if it serves none. */
    void afterRequest(Runnable task);

    /**
     * Keeps what the calling thread knows of the application: class loader, names and identity; no transaction and no
     * request.
     *
     * @return runs a task on the thread that hands it over, with that knowledge
     */
    Executor callersContext();

    /** Runs a task after a delay. */
    Task schedule(Duration delay, Runnable task);

    /** A task handed over. */
    interface Task {

        /** Takes the task back if it has not begun, and interrupts it if it has. */
        void cancel();
    }
}
