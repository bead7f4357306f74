package io.distributedfallback;

import java.util.Optional;

/**
 * What a method with {@link QueueWhenOpen} can know of the call that it is making: whether it was stored before, and under
 * which id. Inject it. It speaks of the call that the current thread is making, until the method returns; work that the method
 * hands to other threads does not see it.
 */
public interface QueuedCall {

    /**
     * The id of the stored call: the same for each attempt to make it, and of no other call of the database. Give it to the
     * provider as an idempotency key. The first call, the one that was stored then, had none.
     *
     * @return empty if this is no stored call
     */
    Optional<String> id();

    /**
     * Which attempt this is.
     *
     * @return 1 for the first attempt to make the stored call; 0 if this is no stored call
     */
    int attempt();
}
