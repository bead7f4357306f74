package io.distributedfallback.admin;

import io.distributedfallback.queue.CallDesk;
import io.distributedfallback.queue.CallQuery;
import io.distributedfallback.queue.QueueCommand;
import io.distributedfallback.queue.QueueCounts;
import io.distributedfallback.queue.QueueListener;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.QueueRoom;
import io.distributedfallback.queue.StoredCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Two stored calls, and what was asked and commanded. */
final class Desk implements CallDesk {

    static final QueueName MAILS = new QueueName("mailer", "com.example.Mails#send(java.lang.String)");
    static final String RETRY =
            "{\"action\":\"RETRY\",\"breaker\":\"mailer\",\"method\":\"com.example.Mails#send(java.lang.String)\","
                    + "\"call\":7,\"reason\":\"the address is mended\"}";

    final List<CallQuery> asked = new ArrayList<>();
    final List<QueueCommand> commanded = new ArrayList<>();

    QueueRoom room() {
        return new QueueRoom(Optional.of(this), Optional.empty(), new QueueListener() {});
    }

    @Override
    public List<QueueCounts> counts() {
        return List.of(new QueueCounts(MAILS, 1, 1, Optional.of(Rooms.START)));
    }

    @Override
    public List<StoredCall> list(CallQuery query) {
        asked.add(query);
        return List.of(call(8, false), call(7, true));
    }

    private static StoredCall call(long id, boolean dead) {
        Instant at = Rooms.START;
        return new StoredCall(
                id,
                MAILS,
                dead ? Optional.of("customer <4711>") : Optional.empty(),
                dead,
                !dead,
                dead ? 10 : 1,
                at,
                "pod-7",
                dead ? Optional.empty() : Optional.of(at),
                dead ? Optional.of("HTTP 422") : Optional.empty(),
                17);
    }

    @Override
    public long carryOut(QueueCommand command) {
        commanded.add(command);
        return command.call().isEmpty() || command.call().getAsLong() == 7 ? 1 : 0;
    }
}
