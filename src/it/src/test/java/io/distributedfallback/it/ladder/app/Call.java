package io.distributedfallback.it.ladder.app;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * One call of a visitor.
 *
 * @param instance the number of the instance
 * @param atMicros when it was made, since 1970
 * @param tookMicros how long it took
 * @param askedRedis whether it went to the primary
 * @param timedOut whether it waited there in vain
 * @param queriedMicros when it asked the database; 0 for never
 */
public record Call(
        int instance,
        long atMicros,
        int tookMicros,
        Outcome outcome,
        boolean askedRedis,
        boolean timedOut,
        long queriedMicros) {

    void write(DataOutputStream out) throws IOException {
        out.writeInt(instance);
        out.writeLong(atMicros);
        out.writeInt(tookMicros);
        out.writeUTF(outcome.name());
        out.writeBoolean(askedRedis);
        out.writeBoolean(timedOut);
        out.writeLong(queriedMicros);
    }

    public static Call read(DataInputStream in) throws IOException {
        return new Call(
                in.readInt(),
                in.readLong(),
                in.readInt(),
                Outcome.valueOf(in.readUTF()),
                in.readBoolean(),
                in.readBoolean(),
                in.readLong());
    }

    public boolean queried() {
        return queriedMicros != 0;
    }
}
