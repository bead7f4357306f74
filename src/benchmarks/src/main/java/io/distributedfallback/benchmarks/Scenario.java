package io.distributedfallback.benchmarks;

import java.util.List;

/** Measures one thing, and has some lines of the table to show for it. */
@FunctionalInterface
public interface Scenario {

    /**
     * Measures.
     *
     * @throws Exception if nothing could be measured; the other scenarios go on, and the build fails
     */
    List<Line> measure(Extent extent) throws Exception;
}
