package io.distributedfallback.queue;

import io.distributedfallback.core.FailureText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What somebody sees and does who watches over the queues of an application. Thread-safe. */
public final class QueueRoom {

    private final Optional<CallDesk> desk;
    private final Optional<CallQueues> queues;
    private final QueueListener listener;

    /**
     * @param desk empty if calls cannot be stored here
     * @param queues those of the application, if any
     * @param listener is told of commands
     */
    public QueueRoom(Optional<CallDesk> desk, Optional<CallQueues> queues, QueueListener listener) {
        this.desk = desk;
        this.queues = queues;
        this.listener = listener;
    }

    /** Where nothing can be stored. */
    public static QueueRoom empty() {
        return new QueueRoom(Optional.empty(), Optional.empty(), new QueueListener() {});
    }

    /** The queues that the code declares. */
    public Set<QueueName> declared() {
        return queues.map(CallQueues::names).orElse(List.of()).stream().collect(Collectors.toSet());
    }

    /** How many calls each queue holds, those that hold none and those that the code does not know included. */
    public List<QueueCounts> counts() {
        List<QueueCounts> counts = new ArrayList<>(desk.map(CallDesk::counts).orElse(List.of()));
        Set<QueueName> counted = counts.stream().map(QueueCounts::queue).collect(Collectors.toSet());
        declared().stream()
                .filter(queue -> !counted.contains(queue))
                .forEach(queue -> counts.add(new QueueCounts(queue, 0, 0, Optional.empty())));
        counts.sort(Comparator.comparing((QueueCounts each) -> each.queue().breaker())
                .thenComparing(each -> each.queue().method()));
        return counts;
    }

    /** Stored calls, the newest first. */
    public List<StoredCall> calls(CallQuery query) {
        return desk.map(all -> all.list(query)).orElse(List.of());
    }

    /**
     * Carries out a command, and has calls that are to be made again made soon.
     *
     * @return how many calls it met
     */
    public long carryOut(QueueCommand given) {
        QueueCommand command = new QueueCommand(
                given.action(),
                given.queue(),
                given.call(),
                FailureText.oneLine(given.by()),
                FailureText.masked(given.reason(), QueueCommand.LONGEST_REASON));
        long met = desk.map(all -> all.carryOut(command)).orElse(0L);
        if (met > 0) {
            listener.commanded(command, met);
            queues.flatMap(all -> all.find(command.queue())).ifPresent(CallQueue::lookSoon);
        }
        return met;
    }

    /** Tells of calls for methods that the code does not have, of breakers that it has. */
    public void tellOfUnknown() {
        Set<QueueName> declared = declared();
        Set<String> breakers = declared.stream().map(QueueName::breaker).collect(Collectors.toSet());
        desk.map(CallDesk::counts).orElse(List.of()).stream()
                .filter(each -> !declared.contains(each.queue()) && each.pending() > 0)
                .filter(each -> breakers.contains(each.queue().breaker()))
                .forEach(each -> listener.unknown(each.queue(), each.pending()));
    }
}
