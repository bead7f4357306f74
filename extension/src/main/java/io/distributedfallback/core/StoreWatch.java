package io.distributedfallback.core;

import java.time.Duration;
import java.util.Collection;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Makes the stand-in ready when the shared store is lost, and tells of losses and returns.
 *
 * @param standIn takes the place of the shared store
 * @param known all rows that this instance knows
 * @param offers how many failures it has to hand over to the shared store when that is back
 * @param fate notices breakers that guard that store
 * @param listener is told
 * @param changes tells whoever watches
 */
record StoreWatch(
        MemoryBreakerStore standIn,
        Supplier<Collection<BreakerRow>> known,
        IntSupplier offers,
        SharedFate fate,
        BreakerListener listener,
        Changes changes)
        implements StoreHealth.Watcher {

    @Override
    public void beforeLoss() {
        standIn.adopt(known.get());
    }

    @Override
    public void lost(StoreException reason) {
        listener.storeLost(reason);
        fate.storeLost(reason);
        changes.tell();
    }

    @Override
    public int toHandOver() {
        return offers.getAsInt();
    }

    @Override
    public void back(Duration away, int failures) {
        listener.storeBack(away, failures);
        changes.tell();
    }
}
