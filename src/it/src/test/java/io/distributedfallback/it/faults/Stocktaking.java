package io.distributedfallback.it.faults;

import io.distributedfallback.it.harness.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Who has lived, what has struck, and what came of it, since stock was last taken. Thread-safe. */
final class Stocktaking {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Archive archive;
    private final RecordingProvider provider;
    private final LedgerCount ledger;
    private final List<Instance> instances = new ArrayList<>();
    private final List<Records.Strike> strikes = new ArrayList<>();

    /** What came before the first time is nobody's round. */
    private long takenNanos = Long.MAX_VALUE;

    Stocktaking(Archive archive, RecordingProvider provider) {
        this.archive = archive;
        this.provider = provider;
        this.ledger = new LedgerCount(archive);
    }

    synchronized void born(Instance instance) {
        instances.add(instance);
    }

    synchronized void struck(Records.Strike strike) {
        strikes.add(strike);
    }

    /** Those that live, and those that have died since. */
    synchronized List<Instance> instances() {
        return List.copyOf(instances);
    }

    private synchronized List<Records.Strike> takeStrikes() {
        List<Records.Strike> taken = List.copyOf(strikes);
        strikes.clear();
        return taken;
    }

    private synchronized void forgetAllBut(List<Instance> living) {
        instances.retainAll(living);
    }

    /**
     * Sends the visitors away, and has all that was recorded since that moment; of the ledger's failures all since stock was
     * last taken, for the database counts also those between two rounds.
     */
    Records take(long from, List<Instance> living) throws Exception {
        living.forEach(Instance::visitorsLeave);
        Eventually.until(
                "all visitors have left", PATIENCE, () -> living.stream().allMatch(Instance::isEmpty));
        List<Instance> known = instances();
        Records.Ledger counted = ledger.settle(read(known, takenNanos), provider.requests());
        takenNanos = System.nanoTime();
        Records records = new Records(
                from,
                known.stream().map(Instance::life).toList(),
                read(known, from),
                provider.requests(),
                provider.outages(),
                takeStrikes(),
                archive.news(),
                counted);
        provider.forget();
        forgetAllBut(living);
        return records;
    }

    private static Journals read(List<Instance> instances, long from) {
        Journals journals = new Journals();
        instances.forEach(
                instance -> journals.read(instance.name(), instance.launch().journal(), from));
        return journals;
    }
}
