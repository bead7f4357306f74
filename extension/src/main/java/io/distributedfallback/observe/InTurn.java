package io.distributedfallback.observe;

import io.distributedfallback.core.Background;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs tasks off the caller's thread: those of one subject one after the other, in their order, those of several beside
 * each other. Thread-safe.
 */
final class InTurn {

    private final Background background;

    /** Guarded by itself. There is an entry for each subject that a thread is busy with. */
    private final Map<String, Queue<Runnable>> waiting = new HashMap<>();

    InTurn(Background background) {
        this.background = background;
    }

    /**
     * Runs a task when those before it are done.
     *
     * @param task must not throw
     * @throws RejectedExecutionException if no thread can be had
     */
    void run(String subject, Runnable task) {
        synchronized (waiting) {
            Queue<Runnable> busy = waiting.get(subject);
            if (busy != null) {
                busy.add(task);
                return;
            }
            waiting.put(subject, new ArrayDeque<>());
        }
        try {
            background.run(() -> runAll(subject, task));
        } catch (RejectedExecutionException e) {
            synchronized (waiting) {
                waiting.remove(subject);
            }
            throw e;
        }
    }

    private void runAll(String subject, Runnable first) {
        for (Runnable task = first; task != null; task = next(subject)) {
            task.run();
        }
    }

    /** Null if there is none, and the subject is given up. */
    private Runnable next(String subject) {
        synchronized (waiting) {
            Runnable next = waiting.get(subject).poll();
            if (next == null) {
                waiting.remove(subject);
            }
            return next;
        }
    }
}
