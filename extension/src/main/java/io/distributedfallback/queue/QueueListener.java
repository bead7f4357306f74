package io.distributedfallback.queue;

import io.distributedfallback.core.StoreException;

/** Hears what queues do. Each method does nothing by default, is called on any thread, and must neither block nor throw. */
public interface QueueListener {

    /** A call was stored. It may not stay, if the transaction that it is part of is rolled back. */
    default void stored(QueueName queue) {}

    /** A stored call has been made. */
    default void replayed(QueueName queue) {}

    /** An attempt to make a stored call has failed; there will be another one. */
    default void failed(QueueName queue) {}

    /** A stored call will not be made any more, unless an operator says so. Told once. */
    default void dead(QueueName queue, long id, String error) {}

    /** A call has been made whose lease had ended meanwhile: it may have been made twice. */
    default void overtaken(QueueName queue, long id) {}

    /** An operator's command has been carried out. */
    default void commanded(QueueCommand command, long calls) {}

    /** Calls wait for a method that this application does not have. Told once at most. */
    default void unknown(QueueName queue, long calls) {}

    /** The store or a thread could not be had; it is tried again. */
    default void trouble(StoreException reason) {}
}
