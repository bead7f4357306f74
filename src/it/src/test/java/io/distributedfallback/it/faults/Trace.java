package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Strike;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What a fault has left behind in the records: each of its effects must be seen in one of them. */
public record Trace(Records records, Strike strike) {

    /** A store that is away for less than this may not be missed: copies are that fresh, and a wait is that long. */
    private static final long MISSED = Records.FRESH_NANOS + Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS / 2;

    private static final String BACK = "DFB308";

    /** Each effect that left none. */
    public List<Effect> missing() {
        List<Effect> missing = new ArrayList<>();
        for (Effect effect : strike.effects()) {
            boolean isSeen = switch (effect) {
                case STORE_AWAY, STORE_AWAY_FOR_SOME -> length() <= MISSED || isStoreMissed();
                case INSTANCE_DIES -> lives(life -> isMeanwhile(life.endedNanos(), 0));
                case INSTANCE_STANDS_STILL -> lives(this::stoodStill);
                default -> true;
            };
            if (!isSeen) {
                missing.add(effect);
            }
        }
        return missing;
    }

    private long length() {
        return strike.to() - strike.from();
    }

    private boolean lives(Predicate<Life> isSo) {
        return records.instances().stream().anyMatch(isSo);
    }

    private boolean isStoreMissed() {
        long later = Records.STORE_TIMEOUT_NANOS + Records.SLACK_NANOS;
        return lives(life -> {
            Journals.Pages pages = records.journals().of(life.instance());
            return pages.store().stream().anyMatch(change -> !change.isUp() && isMeanwhile(change.at(), later))
                    // Whoever starts without it says so in the log.
                    || pages.log().stream()
                            .anyMatch(line -> !line.code().equals(BACK) && isMeanwhile(line.at(), later));
        });
    }

    private boolean isMeanwhile(long moment, long later) {
        return moment >= strike.from() && moment <= strike.to() + later;
    }

    /** For half the time at least: the fault may have waited for the instance until then. */
    private boolean stoodStill(Life life) {
        return 2 * records.stalled(life.instance(), strike.from(), strike.to()) >= length() - Records.SLACK_NANOS / 2;
    }
}
