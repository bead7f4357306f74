package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.Records.Entry;
import io.distributedfallback.it.faults.Records.Ledger;
import io.distributedfallback.it.faults.Records.Life;
import io.distributedfallback.it.faults.Records.Outage;
import io.distributedfallback.it.faults.Records.Request;
import io.distributedfallback.it.faults.Records.Strike;
import io.distributedfallback.it.faults.Records.Weather;
import io.distributedfallback.it.faults.rule.Rules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A round made up by hand, in which all went well, for tests that change one thing in it: each rule finds what it is there to
 * find, and lets pass what it excuses. The round begins at second 100; the provider is away from 102 to 104.
 */
abstract class RuleTest {

    static final String WATCHED = "connection watched " + at(50.5);
    static final String STORE_UP = "store up " + at(51);

    final List<Life> lives = new ArrayList<>(List.of(new Life("a", at(50), 0), new Life("b", at(50), 0)));
    final List<String> ofA = new ArrayList<>(List.of(WATCHED, STORE_UP));
    final List<String> ofB = new ArrayList<>(List.of(WATCHED, STORE_UP));
    final List<Request> requests = new ArrayList<>();
    final List<Outage> outages = new ArrayList<>(List.of(new Outage(Weather.FAILING, at(102), at(104))));
    final List<Strike> strikes = new ArrayList<>();
    final List<Entry> history = new ArrayList<>();
    Ledger ledger = new Ledger(10, 8, 12);

    @TempDir
    Path folder;

    static long at(double second) {
        return Math.round(second * 1_000) * 1_000_000;
    }

    @BeforeEach
    void all_goes_well() {
        ofA.add(call("primary", 101, 101.1, 0.1));
        ofA.add(call("fallback", 103, 103.1, 0));
        ofA.add("transition catalogue OPEN " + at(102.3));
        ofB.add("transition catalogue CLOSED " + at(105.2));
        for (double second : new double[] {102.1, 102.2, 102.3}) {
            visit("a", second);
        }
        probe("a", 103, 500);
        probe("b", 104.2, 200);
        probe("a", 104.6, 200);
        probe("b", 105, 200);
        open(102.3);
        close(105.1);
    }

    static String call(String outcome, double began, double ended, double atProvider) {
        return "call catalogue " + outcome + ' ' + at(began) + ' ' + at(ended) + ' ' + at(atProvider);
    }

    void visit(String instance, double second) {
        requests.add(new Request("catalogue", "visitor", instance, at(second), at(second), at(second + 0.01), 500));
    }

    void probe(String instance, double second, int status) {
        requests.add(new Request("catalogue", "probe", instance, at(second), at(second), at(second + 0.1), status));
    }

    void open(double second) {
        history.add(new Entry("catalogue", "CLOSED", "OPEN", "FAILURES", 0, at(second)));
    }

    void close(double second) {
        history.add(new Entry("catalogue", "OPEN", "CLOSED", "PROBES", 3, at(second)));
    }

    void strike(Effect effect, double from, double to) {
        strikes.add(new Strike("a fault", Set.of(effect), at(from), at(to)));
    }

    void stall(List<String> journal, double from, double to) {
        journal.add("stall " + at(from) + ' ' + at(to));
    }

    void loseTheStore(List<String> journal, double from, double to) {
        journal.add("connection down " + at(from));
        journal.add("log DFB302 " + at(from));
        journal.add("store down " + at(from));
        journal.add("store up " + at(to));
        journal.add("log DFB308 " + at(to));
        journal.add("connection up " + at(to));
    }

    void assertBroken(String rule) throws IOException {
        assertThat(violations()).anyMatch(text -> text.startsWith(rule + ": "));
    }

    void assertKept() throws IOException {
        assertThat(violations()).isEmpty();
    }

    List<String> violations() throws IOException {
        return Rules.broken(records());
    }

    Records records() throws IOException {
        Journals journals = new Journals();
        for (Life life : lives) {
            Path file = folder.resolve(life.instance());
            Files.write(file, Map.of("a", ofA, "b", ofB).getOrDefault(life.instance(), List.of(STORE_UP)));
            journals.read(life.instance(), file, at(100));
        }
        return new Records(at(100), lives, journals, requests, outages, strikes, history, ledger);
    }
}
