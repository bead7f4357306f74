package io.distributedfallback.observe;

import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.QueueStep;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueListener;
import io.distributedfallback.queue.QueueName;

/** Writes to the log what queues have to tell, and has it counted. */
public final class QueueNotices implements QueueListener {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final BreakerListener listener;

    /** @param listener counts, and is told of trouble with the store */
    public QueueNotices(BreakerListener listener) {
        this.listener = listener;
    }

    @Override
    public void stored(QueueName queue) {
        listener.queued(queue.breaker(), QueueStep.STORED);
    }

    @Override
    public void replayed(QueueName queue) {
        listener.queued(queue.breaker(), QueueStep.REPLAYED);
    }

    @Override
    public void failed(QueueName queue) {
        listener.queued(queue.breaker(), QueueStep.FAILED);
    }

    @Override
    public void dead(QueueName queue, long id, String error) {
        listener.queued(queue.breaker(), QueueStep.DEAD);
        warn(
                ProblemCode.DFB419,
                place(queue) + ", call " + id,
                FailureText.oneLine(error),
                "It is kept. Look at it in the admin, mend what is wrong, and retry or discard it there");
    }

    @Override
    public void overtaken(QueueName queue, long id) {
        warn(
                ProblemCode.DFB422,
                place(queue) + ", call " + id,
                "",
                "Another instance may have made it as well. If that happens often, make distributed-fallback.queue.lease longer");
    }

    @Override
    public void unknown(QueueName queue, long calls) {
        warn(
                ProblemCode.DFB420,
                place(queue),
                calls + " calls",
                "They stay where they are. Bring a method of that class, name and parameters back, or discard them in the admin");
    }

    @Override
    public void commanded(QueueCommand command, long calls) {
        LOG.log(
                System.Logger.Level.INFO,
                "{0}",
                new Problem(
                        ProblemCode.DFB421,
                        place(command.queue()),
                        command.action() + ", " + calls + " calls, by " + command.by() + ": " + command.reason(),
                        "The table distributed_queue_command has it as well"));
    }

    @Override
    public void trouble(StoreException reason) {
        listener.storeTrouble(reason);
    }

    private static String place(QueueName queue) {
        return "breaker " + queue.breaker() + ", " + queue.method();
    }

    private static void warn(ProblemCode code, String where, String value, String remedy) {
        LOG.log(System.Logger.Level.WARNING, "{0}", new Problem(code, where, value, remedy));
    }
}
