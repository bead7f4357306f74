package io.distributedfallback.queue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The queues of an application, on one instance. Thread-safe. */
public final class CallQueues implements AutoCloseable {

    private final QueueParts parts;
    private final List<CallQueue> queues = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    /** Does nothing yet. */
    public CallQueues(QueueParts parts) {
        this.parts = parts;
    }

    /**
     * Adds a queue.
     *
     * @param maker makes its calls
     */
    public CallQueue add(QueueName name, QueueRules rules, CallMaker maker) {
        CallQueue queue = new CallQueue(name, rules, maker, parts);
        queues.add(queue);
        if (started) {
            queue.lookSoon();
        }
        return queue;
    }

    /**
     * From now on stored calls are made, those of before included.
     *
     * @param atOnce whether to look for them now; else later, so that no connection is opened for it yet
     */
    public void start(boolean atOnce) {
        started = true;
        queues.forEach(atOnce ? CallQueue::lookSoon : CallQueue::lookLater);
    }

    /** Something is known anew of breakers. Quick. */
    public void changed() {
        queues.forEach(CallQueue::changed);
    }

    /** The names of the queues. */
    public List<QueueName> names() {
        return queues.stream().map(CallQueue::name).toList();
    }

    /** The queue of a name. */
    public Optional<CallQueue> find(QueueName name) {
        return queues.stream().filter(queue -> queue.name().equals(name)).findFirst();
    }

    /** Takes no more calls, and gives back what has not begun. Waits for nothing. */
    @Override
    public void close() {
        queues.forEach(CallQueue::stop);
    }
}
