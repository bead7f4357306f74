package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Journals.Connection;
import io.distributedfallback.it.faults.Journals.Pages;
import io.distributedfallback.it.faults.Journals.StoreChange;
import io.distributedfallback.it.faults.Records;
import io.distributedfallback.it.faults.Records.Life;
import java.util.ArrayList;
import java.util.List;

/**
 * The application is told by an event when the store is lost and when it is back, in turns, of each loss that its own
 * question finds, and in the end what is so. Over an instance's whole life, if its version has the event.
 */
final class EachLossIsToldOnce implements Rule {

    @Override
    public List<String> broken(Records records) {
        List<String> broken = new ArrayList<>();
        for (Life life : records.instances()) {
            Pages pages = records.journals().of(life.instance());
            if (pages.connection().stream().anyMatch(event -> event.kind().equals("watched"))) {
                check(life, pages, broken);
            }
        }
        return broken;
    }

    private static void check(Life life, Pages pages, List<String> broken) {
        boolean isUp = true;
        long told = 0;
        long changedAt = 0;
        for (Connection event : pages.connection()) {
            if (event.kind().equals("watched")) {
                continue;
            }
            if (isUp == event.kind().equals("up")) {
                broken.add(life + " was told again: " + event);
            }
            isUp = event.kind().equals("up");
            told += isUp ? 0 : 1;
            changedAt = event.at();
        }
        if (life.endedNanos() != 0 || pages.store().isEmpty()) {
            return;
        }
        StoreChange last = pages.store().get(pages.store().size() - 1);
        long lost = pages.store().stream().filter(change -> !change.isUp()).count();
        // The event of one that has only just been noticed may be on its way.
        if (told < (last.isUp() ? lost : lost - 1)) {
            broken.add(life + " lost the store " + lost + " times and was told of " + told);
        }
        if (last.isUp() && last.at() > changedAt && !isUp) {
            broken.add(life + " was not told that the store is back");
        }
    }
}
