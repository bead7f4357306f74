package io.distributedfallback.it.faults.app;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;

/**
 * What is guarded. The catalogue's provider comes and goes. The ledger's fails always, and its breaker has a threshold that
 * is never reached: its row counts the failures of all instances.
 */
@ApplicationScoped
public class Shop {

    public static final String CATALOGUE = "catalogue";
    public static final String LEDGER = "ledger";
    public static final String PRIMARY = "primary";
    public static final String FALLBACK = "fallback";

    private static final int PATIENCE_MILLIS = 600;
    private static final int PATIENCE_OF_THE_LATE_MILLIS = 4_000;

    /** Set by a call that asks the provider: for how long. */
    static final ThreadLocal<Long> AT_PROVIDER = ThreadLocal.withInitial(() -> 0L);

    @Inject
    Remote remote;

    @DistributedFallback(breaker = CATALOGUE, fallbackMethod = "fromShelf")
    public String find(long began) throws IOException {
        return ask("/catalogue", "visitor", began, PATIENCE_MILLIS);
    }

    /** The provider takes its time for this, and answers well even while it fails for all others. */
    @DistributedFallback(breaker = CATALOGUE, fallbackMethod = "fromShelf")
    public String findLate(long began) throws IOException {
        return ask("/catalogue", "late", began, PATIENCE_OF_THE_LATE_MILLIS);
    }

    String fromShelf(long began) {
        return FALLBACK;
    }

    @Probe(CATALOGUE)
    void askForOne() throws IOException {
        String unused = remote.ask("/catalogue", "probe", System.nanoTime(), PATIENCE_MILLIS);
    }

    @DistributedFallback(breaker = LEDGER, fallbackMethod = "fromShelf")
    public String count(long began) throws IOException {
        return ask("/ledger", "visitor", began, PATIENCE_MILLIS);
    }

    private String ask(String path, String purpose, long began, int patience) throws IOException {
        long asked = System.nanoTime();
        try {
            String unused = remote.ask(path, purpose, began, patience);
            return PRIMARY;
        } finally {
            AT_PROVIDER.set(System.nanoTime() - asked);
        }
    }
}
