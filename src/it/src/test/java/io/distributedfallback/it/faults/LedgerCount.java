package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import io.distributedfallback.it.harness.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Compares how many failures of the ledger there were with how many the database has counted. What an
 * instance could not write while the database was away it hands over later; that is waited for.
 */
final class LedgerCount {

    private static final Duration HAND_OVER = Duration.ofSeconds(5);

    private final Archive archive;
    private long recorded;
    private long asked;

    LedgerCount(Archive archive) {
        this.archive = archive;
    }

    /** To be called at the end of each round, when no visitor is there, with what has come since it was last called. */
    Records.Ledger settle(Journals journals, List<Records.Request> requests) throws SQLException {
        recorded += journals.calls()
                .filter(call -> call.breaker().equals(Shop.LEDGER) && call.primaryNanos() > 0)
                .count();
        asked += asked(journals, requests);
        try {
            Eventually.until("all failures are counted", HAND_OVER, () -> archive.ledger() >= recorded);
        } catch (AssertionError missing) {
            // It is for the rules to say whether any may be missing.
        }
        Records.Ledger ledger = new Records.Ledger(archive.ledger(), recorded, asked);
        // What is missing has been judged now, and does not come back.
        recorded = ledger.counted();
        asked = ledger.counted();
        return ledger;
    }

    /**
     * Calls that the provider saw, and calls whose callers had an answer: a busy machine may keep a call from getting
     * there, and that is a failure as well. Who called, and when, tells one from another.
     */
    private static long asked(Journals journals, List<Records.Request> requests) {
        Stream<String> seen = requests.stream()
                .filter(request -> request.service().equals(Shop.LEDGER))
                .map(request -> request.instance() + ' ' + request.began());
        Stream<String> answered = journals.calls()
                .filter(call -> call.breaker().equals(Shop.LEDGER) && call.primaryNanos() > 0)
                .map(call -> call.instance() + ' ' + call.began());
        return Stream.concat(seen, answered).distinct().count();
    }
}
