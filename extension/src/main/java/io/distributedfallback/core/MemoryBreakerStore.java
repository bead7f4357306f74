package io.distributedfallback.core;

import java.util.Collection;

public abstract class MemoryBreakerStore implements BreakerStore {
    public void adopt(Collection<BreakerRow> rows) {}
}
