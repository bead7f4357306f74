package io.distributedfallback.core;

import com.sun.management.ThreadMXBean;
import io.distributedfallback.core.Cluster.Instance;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a guarded call costs while all is well: nothing that a garbage collector would see. */
class HealthyCallTest {

    private static final int CALLS = 10_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final Primary<Instance, String> PRIMARY = instance -> "primary";
    private static final Fallback<Instance, String> FALLBACK = (instance, failure) -> "fallback";

    private final Cluster cluster = new Cluster();
    private Instance one = cluster.instance();
    private final FailureRules rules = FailureRules.forAll(Cluster.RAWG, List.of(), new BreakerListener() {});

    @Test
    void a_healthy_call_allocates_nothing() throws Exception {
        call();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call();
        }
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(CALLS);
    }

    @Test
    void a_healthy_call_allocates_nothing_after_failures_that_were_made_up_for() throws Exception {
        cluster.provider.down();
        one.visit();
        cluster.provider.up();
        one.visit();
        a_healthy_call_allocates_nothing();
    }

    @Test
    void a_healthy_call_allocates_nothing_once_a_breaker_is_back_at_full_traffic() throws Exception {
        cluster.policy = cluster.policy.toBuilder()
                .probeSuccesses(1)
                .rampUp(Duration.ofSeconds(30))
                .build();
        cluster.open(one);
        cluster.provider.up();
        cluster.passInterval();
        one.visit();
        cluster.time.passSeconds(31);
        one.visit();
        a_healthy_call_allocates_nothing();
    }

    @Test
    void a_healthy_call_that_is_counted_allocates_nothing_either() throws Exception {
        LongAdder calls = new LongAdder();
        cluster.instruments = new Instruments() {
            @Override
            public Optional<CallMeter> meter(String breaker) {
                return Optional.of(outcome -> calls.increment());
            }
        };
        one = cluster.instance();
        a_healthy_call_allocates_nothing();
        assertThat(calls.sum()).isEqualTo(CALLS + 1);
    }

    private void call() throws Exception {
        String answer = one.breaker.call(one, PRIMARY, FALLBACK, rules);
        if (!answer.equals("primary")) {
            throw new AssertionError(answer);
        }
    }
}
