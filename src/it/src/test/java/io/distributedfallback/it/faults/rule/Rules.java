package io.distributedfallback.it.faults.rule;

import io.distributedfallback.it.faults.Records;
import java.util.List;

/** All of them. */
public final class Rules {

    private static final List<Rule> ALL = List.of(
            new TheFaultStruck(),
            new NoCallFailsOrWaits(),
            new HistoryIsAChain(),
            new EachChangeHasAReason(),
            new OnlyProbesClose(),
            new OneProbeAtATime(),
            new ProbesGoOn(),
            new NoVisitorWhileOpen(),
            new FewPayForAnOutage(),
            new EachFailureCountsOnce(),
            new EachChangeIsToldOnce(),
            new EachLossIsLoggedOnce(),
            new EachLossIsToldOnce(),
            new StoreIsFoundAgain(),
            new WhatIsToldLasts());

    private Rules() {}

    /** Each violation, with the name of its rule. */
    public static List<String> broken(Records records) {
        return ALL.stream()
                .flatMap(rule -> rule.broken(records).stream()
                        .map(text -> rule.getClass().getSimpleName() + ": " + text))
                .toList();
    }
}
