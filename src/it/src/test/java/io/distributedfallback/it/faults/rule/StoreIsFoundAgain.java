package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Effect;
import io.distributedfallback.it.faults.Journals.Logged;
import io.distributedfallback.it.faults.Journals.Pages;
import io.distributedfallback.it.faults.Journals.StoreChange;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Strike;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An instance that has lost the store asks for it again after 2 s, and after twice as long each time, up to 30 s, also from
 * one loss to the next. So it has it back, once it can be had, within the time that it was away and the first pause more;
 * each attempt in vain takes as long as a read may.
 */
final class StoreIsFoundAgain implements Rule {

    private static final long FIRST_PAUSE = 2_000_000_000L;

    /** More than three are not made within the time of a fault. */
    private static final long ATTEMPTS = 3 * Records.STORE_TIMEOUT_NANOS;

    private static final long LONGEST = 30_000_000_000L;

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (Strike strike : records.strikes()) {
            if (strike.effects().contains(Effect.STORE_AWAY) || strike.effects().contains(Effect.STORE_AWAY_FOR_SOME)) {
                records.instances().forEach(life -> check(records, strike, life, broken));
            }
        }
        return broken;
    }

    /**
     * The longest first pause after that loss. Pauses are up to half as short, so the last one of a loss was at most as
     * long as the store was away and half the first.
     */
    private static long pause(Pages pages, StoreChange loss) {
        List<StoreChange> said = pages.store();
        long pause = FIRST_PAUSE;
        long lostAt = lostBeforeItWasFound(pages);
        for (StoreChange change : said.subList(0, said.indexOf(loss))) {
            if (!change.isUp()) {
                lostAt = change.at();
            } else if (lostAt != 0) {
                pause = Math.min(LONGEST, 2 * (change.at() - lostAt) + pause);
                lostAt = 0;
            }
        }
        return pause;
    }

    /** A young instance may lose the store before it has it, and tells of that in its log alone. 0 if it did not. */
    private static long lostBeforeItWasFound(Pages pages) {
        long found = pages.store().get(0).at();
        return pages.log().stream()
                .filter(line -> line.isLoss() && line.at() < found)
                .mapToLong(Logged::at)
                .findFirst()
                .orElse(0);
    }

    private static void check(Records records, Strike strike, Life life, List<String> broken) {
        Pages pages = records.journals().of(life.instance());
        List<StoreChange> said = pages.store();
        Optional<StoreChange> lost = said.stream()
                .filter(change -> !change.isUp())
                .filter(change -> change.at() >= strike.from() && change.at() <= strike.to())
                .findFirst();
        if (lost.isEmpty() || life.endedNanos() != 0) {
            return;
        }
        StoreChange down = lost.get();
        long back = said.stream()
                .filter(change -> change.isUp() && change.at() > down.at())
                .mapToLong(StoreChange::at)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        long promised =
                Math.min(LONGEST, strike.to() - down.at() + pause(pages, down)) + ATTEMPTS + Records.SLACK_NANOS;
        long stalled = back == Long.MAX_VALUE ? 0 : records.stalled(life.instance(), strike.to(), back);
        if (back - stalled - strike.to() > promised) {
            broken.add(life + " had the store back " + (back - strike.to()) / 1_000_000
                    + " ms after it could be had, and not within " + promised / 1_000_000);
        }
    }
}
