package io.distributedfallback.benchmarks.call;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** One call, by one contender to a fork. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GuardedCall {

    /** So many at the bottom of the stack that the way down does not count. */
    static final int CALLS = 200;

    private static final int ENOUGH_TO_OPEN = 1000;

    /** Who makes the call. */
    @Param
    public Contender contender;

    /** Whether the provider is down and the breaker open. */
    @Param("false")
    public boolean open;

    /** How many frames are on the stack more than need be. */
    @Param("0")
    public int depth;

    private final Provider provider = new Provider();
    private Subject subject;

    /** Starts the contender, and opens its breaker if that is wanted. */
    @Setup
    public void start() throws Exception {
        subject = contender.start();
        if (open) {
            provider.goDown();
            open();
        }
    }

    private void open() throws Exception {
        for (int i = 0; i < ENOUGH_TO_OPEN; i++) {
            int asked = provider.asked();
            Object unused = subject.ask(provider);
            if (provider.asked() == asked) {
                return;
            }
        }
        throw new IllegalStateException(contender + " has not opened after " + ENOUGH_TO_OPEN + " failures");
    }

    /** Lets go of what the contender holds. */
    @TearDown
    public void stop() {
        subject.close();
    }

    /** Makes the calls. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void call(Blackhole answers) throws Exception {
        callBelow(depth, answers);
    }

    private void callBelow(int frames, Blackhole answers) throws Exception {
        if (frames > 0) {
            callBelow(frames - 1, answers);
            return;
        }
        for (int i = 0; i < CALLS; i++) {
            answers.consume(subject.ask(provider));
        }
    }
}
