package io.distributedfallback.benchmarks.store;

import io.distributedfallback.benchmarks.Samples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures by name, one in each round. */
final class Figures {

    private final Map<String, List<Double>> values = new HashMap<>();

    void add(String name, double value) {
        values.computeIfAbsent(name, unknown -> new ArrayList<>()).add(value);
    }

    Samples of(String name) {
        return new Samples(values.getOrDefault(name, List.of()));
    }
}
