package io.distributedfallback.core;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Work off the caller's thread. A task runs on a managed thread with no transaction. No method waits for a task, and a
 * task's exception reaches nobody. Each method throws a {@link java.util.concurrent.RejectedExecutionException} if no
 * thread can be had. If the application stops, a task that has not begun is taken back, and one that is {@link Awaited} is
 * told so.
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

    /**
     * Runs a task that is part of the application's stop, also if the server has shut its executors down by then, or all of
     * their threads hang. By default as {@link #run} does.
     */
    default Task last(Runnable task) {
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

    /** A task that somebody waits for, and who must not wait for ever. */
    interface Awaited extends Runnable {

        /** The application stops, and the task will not run. Called at most once, on any thread. Must be quick. */
        void takenBack();

        /**
         * Makes one.
         *
         * @param task what runs
         * @param otherwise what is done instead if it is taken back
         */
        static Awaited of(Runnable task, Runnable otherwise) {
            return new Awaited() {
                @Override
                public void run() {
                    task.run();
                }

                @Override
                public void takenBack() {
                    otherwise.run();
                }
            };
        }
    }

    /** A task handed over. */
    interface Task {

        /** Takes the task back if it has not begun, and interrupts it if it has. */
        void cancel();
    }
}
