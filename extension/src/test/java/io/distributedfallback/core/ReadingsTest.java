package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus.OperatorOverride;
import io.distributedfallback.OverrideMode;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an instance knows of its breakers, without asking the store. */
class ReadingsTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Readings readings = one.breakers.readings();

    @Test
    void tell_how_long_a_breaker_has_been_in_each_state() throws Exception {
        cluster.time.pass(Duration.ofSeconds(10));
        cluster.open(one);
        assertThat(readings.isOpen(Cluster.RAWG)).isTrue();
        cluster.time.pass(Duration.ofSeconds(7));
        assertThat(seconds(EffectiveState.CLOSED)).isEqualTo(10);
        assertThat(seconds(EffectiveState.OPEN)).isEqualTo(7);
        assertThat(seconds(EffectiveState.FORCED_OPEN)).isZero();
    }

    @Test
    void end_the_time_of_an_override_where_it_ends_by_itself() {
        long now = cluster.time.nanos();
        BreakerRow forced = new BreakerRow(
                Cluster.RAWG,
                1,
                io.distributedfallback.BreakerStatus.Standing.NEVER_FAILED,
                io.distributedfallback.BreakerStatus.Window.NONE,
                io.distributedfallback.BreakerStatus.RecoveryProgress.NONE,
                new io.distributedfallback.BreakerStatus.Holds(
                        Duration.ZERO,
                        Optional.of(new OperatorOverride(
                                OverrideMode.FORCED_OPEN, "ops", "drill", Optional.of(Duration.ofSeconds(30))))),
                Optional.empty());
        StateTimes times = new StateTimes(new Sighting(forced, now, now, 0), now);
        cluster.time.pass(Duration.ofSeconds(50));
        assertThat(times.nanosIn(EffectiveState.FORCED_OPEN, cluster.time.nanos()))
                .isEqualTo(Duration.ofSeconds(30).toNanos());
        assertThat(times.nanosIn(EffectiveState.CLOSED, cluster.time.nanos()))
                .isEqualTo(Duration.ofSeconds(20).toNanos());
    }

    @Test
    void count_the_open_keys_of_a_breaker_used_here_or_elsewhere() throws Exception {
        Instance other = cluster.instance();
        cluster.provider.down();
        for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
            one.breakers.get(Cluster.RAWG, "tenant-1").call(cluster.provider::visit, () -> "fallback");
            other.breakers.get(Cluster.RAWG, "tenant-2").call(cluster.provider::visit, () -> "fallback");
        }
        assertThat(readings.openKeys(Cluster.RAWG)).isEqualTo(1);
        assertThat(readings.isOpen(Cluster.RAWG)).isFalse();
        cluster.time.pass(Duration.ofSeconds(31));
        one.visit();
        assertThat(readings.openKeys(Cluster.RAWG)).isEqualTo(2);
    }

    @Test
    void tell_the_age_of_the_copy_and_whether_the_store_answers() throws Exception {
        assertThat(readings.copyAge()).isEmpty();
        one.visit();
        cluster.time.pass(Duration.ofSeconds(1));
        assertThat(readings.copyAge()).contains(Duration.ofSeconds(1));
        assertThat(readings.isStoreUp()).isTrue();
    }

    @Test
    void know_nothing_of_a_breaker_that_nobody_uses() {
        assertThat(readings.isOpen("igdb")).isFalse();
        assertThat(readings.nanosIn("igdb", EffectiveState.OPEN)).isZero();
        assertThat(readings.openKeys("igdb")).isZero();
    }

    private long seconds(EffectiveState state) {
        return Duration.ofNanos(readings.nanosIn(Cluster.RAWG, state)).toSeconds();
    }
}
