package io.distributedfallback.queue;

/** Makes the stored calls of one method. Thread-safe. */
@FunctionalInterface
public interface CallMaker {

    /** Makes it, and waits for what becomes of it. Throws nothing but errors of the virtual machine. */
    Outcome make(TakenCall call) throws InterruptedException;
}
