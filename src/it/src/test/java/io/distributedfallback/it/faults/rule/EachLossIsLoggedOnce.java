package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Journals.Logged;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The log has a line when the store is lost and one when it is back, in turns, and no more than one in five minutes for the
 * same reason: a store that comes and goes makes no flood. The first loss of all is told. Over an instance's whole life.
 */
final class EachLossIsLoggedOnce implements Rule {

    private static final String BACK = "DFB308";
    private static final long SAME_REASON = Duration.ofMinutes(5).toNanos();

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (Life life : records.instances()) {
            check(records, life, broken);
        }
        return broken;
    }

    private static void check(Records records, Life life, List<String> broken) {
        Map<String, Long> told = new HashMap<>();
        boolean isLost = false;
        for (Logged line : records.journals().of(life.instance()).log()) {
            if (line.isLoss()) {
                Long before = told.put(line.code(), line.at());
                if (isLost || (before != null && line.at() - before < SAME_REASON)) {
                    broken.add(life + " said again: " + line);
                }
                isLost = true;
            } else if (line.code().equals(BACK)) {
                if (!isLost) {
                    broken.add(life + " said that the store is back, and not that it was lost: " + line);
                }
                isLost = false;
            }
        }
        var said = records.journals().of(life.instance()).store();
        boolean wasLost = said.stream().anyMatch(change -> !change.isUp());
        if (wasLost && told.isEmpty() && life.endedNanos() == 0) {
            broken.add(life + " did not say that the store was lost");
        }
        long lostAt = told.values().stream().mapToLong(Long::longValue).max().orElse(0);
        boolean isBack = !said.isEmpty()
                && said.get(said.size() - 1).isUp()
                && said.get(said.size() - 1).at() > lostAt + Records.SLACK_NANOS;
        if (isBack && isLost) {
            broken.add(life + " did not say that the store is back");
        }
    }
}
