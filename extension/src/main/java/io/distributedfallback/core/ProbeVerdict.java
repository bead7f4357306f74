package io.distributedfallback.core;

/** What a probe or a trial call says about the provider. {@link BreakerStore#reportProbe} tells what follows. */
public enum ProbeVerdict {
    /** The provider works. */
    PASS,
    /** The provider does not work. */
    FAIL,
    /** Nothing was learnt about the provider. */
    INCONCLUSIVE,
    /** The prober went away before it learnt anything; another may start at once. */
    ABANDONED
}
