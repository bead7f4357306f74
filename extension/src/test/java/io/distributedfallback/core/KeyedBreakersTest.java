package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerTransition;
import io.distributedfallback.ProbeTrigger;
import io.distributedfallback.Recovery;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerState.CLOSED;
import static io.distributedfallback.BreakerState.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyedBreakersTest {

    private static final String RAWG = Cluster.RAWG;

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();
    private int newcomers;

    private String visit(Instance instance, Object key) throws Exception {
        String answer = instance.breakers.get(RAWG, key).call(cluster.provider::visit, () -> "fallback");
        cluster.time.endRequest();
        return answer;
    }

    private static String fail(CircuitBreaker breaker) throws Exception {
        return breaker.call(Cluster::fail, () -> "fallback");
    }

    /** The provider serves all but one. */
    private void outageOf(String key) throws Exception {
        for (int i = 0; i < 3; i++) {
            fail(one.breakers.get(RAWG, key));
        }
    }

    private void room(int keys) {
        cluster.policy = cluster.policy.toBuilder().maxKeys(keys).build();
    }

    /** Time enough for two sweeps, each set off by a key that comes and asks for room. */
    private void sweepTwice(Instance instance) {
        sweepTwice(instance.breakers);
    }

    private void sweepTwice(CircuitBreakers breakers) {
        for (int sweep = 1; sweep <= 2; sweep++) {
            cluster.time.passSeconds(60);
            breakers.get(RAWG, "newcomer " + newcomers++);
        }
    }

    private static List<String> namesOf(Instance instance) {
        return instance.breakers.all().stream().map(Breaker::name).toList();
    }

    @Test
    void the_outage_of_one_tenant_opens_the_breaker_of_that_tenant_only_on_all_instances() throws Exception {
        outageOf("acme");
        cluster.time.passSeconds(3);
        visit(other, "zenith");
        assertThat(visit(one, "acme")).isEqualTo("fallback");
        assertThat(visit(other, "acme")).isEqualTo("fallback");
        assertThat(visit(one, "zenith")).isEqualTo("primary");
        assertThat(visit(other, "zenith")).isEqualTo("primary");
        assertThat(visit(one, null)).isEqualTo("primary");
        assertThat(cluster.transitions).extracting(BreakerTransition::breaker).containsExactly("rawg[acme]");
    }

    @Test
    void each_key_recovers_by_itself_by_a_probe_that_is_given_the_key() throws Exception {
        outageOf("acme");
        outageOf("a]\nb");
        for (int i = 0; i < 3; i++) {
            cluster.passInterval();
            visit(one, "acme");
        }
        assertThat(one.breakers.get(RAWG, "acme").status().standing().state()).isEqualTo(CLOSED);
        assertThat(one.breakers.get(RAWG, "a]\nb").status().standing().state()).isEqualTo(OPEN);
        visit(one, "a]\nb");
        assertThat(cluster.provider.probedKeys).containsExactly("acme", "acme", "acme", "a]\nb");
    }

    @Test
    void the_probe_of_calls_without_a_key_is_given_none() throws Exception {
        cluster.open(one);
        cluster.provider.up();
        cluster.passInterval();
        visit(one, null);
        assertThat(cluster.provider.probes).isEqualTo(1);
        assertThat(cluster.provider.probedKeys).isEmpty();
    }

    @Test
    void a_key_that_is_null_or_blank_is_none() {
        assertThat(one.breakers.get(RAWG, null)).isSameAs(one.breaker);
        assertThat(one.breakers.get(RAWG, "")).isSameAs(one.breaker);
        assertThat(one.breakers.get(RAWG, " ")).isSameAs(one.breaker);
        assertThat(one.breakers.get(RAWG, "acme")).isNotSameAs(one.breaker).isSameAs(one.breakers.get(RAWG, "acme"));
        assertThat(one.breakers.get(RAWG, 7)).isSameAs(one.breakers.get(RAWG, "7"));
    }

    @Test
    void a_strange_key_has_one_breaker_too_under_a_name_that_fits_on_a_line() throws Exception {
        String hostile = "x\n2026-01-01 ERROR forged ".repeat(400);
        outageOf(hostile);
        assertThat(visit(one, hostile)).isEqualTo("fallback");
        assertThat(visit(one, hostile + "y")).isEqualTo("primary");
        String name = one.breakers.get(RAWG, hostile).name();
        assertThat(name).matches("rawg\\[#[0-9a-f]{32}]");
        assertThat(one.breakers.get(RAWG, hostile).status().breaker()).isEqualTo(name);
        assertThatIllegalArgumentException().isThrownBy(() -> one.breakers.get(name));
    }

    @Test
    void keys_beyond_the_cap_share_the_breaker_without_a_key_and_that_is_told_once_a_minute() throws Exception {
        room(2);
        visit(one, "a");
        visit(one, "b");
        for (int i = 0; i < 100; i++) {
            assertThat(one.breakers.get(RAWG, "further " + i)).isSameAs(one.breaker);
        }
        assertThat(one.breakers.get(RAWG, "b").name()).isEqualTo("rawg[b]");
        assertThat(cluster.told).containsExactly("more keys than 2 of rawg");
    }

    @Test
    void a_hundred_thousand_keys_take_the_room_of_the_cap_and_none_fails_a_call() throws Exception {
        for (int i = 0; i < 100_000; i++) {
            one.breakers.get(RAWG, "user " + i).call(() -> "primary", () -> "fallback");
        }
        assertThat(one.breakers.all()).hasSize(1001);
        assertThat(cluster.told).containsExactly("more keys than 1000 of rawg");
        assertThat(cluster.store.writes()).isZero();
    }

    @Test
    void keys_that_are_not_used_make_room_after_two_sweeps_and_those_that_are_used_stay() throws Exception {
        room(3);
        CircuitBreaker used = one.breakers.get(RAWG, "used");
        visit(one, "idle");
        visit(one, "also idle");
        cluster.time.passSeconds(60);
        visit(one, "used");
        assertThat(one.breakers.get(RAWG, "new")).isSameAs(one.breaker);
        cluster.time.passSeconds(60);
        visit(one, "used");
        assertThat(one.breakers.get(RAWG, "new")).isNotSameAs(one.breaker);
        assertThat(namesOf(one)).contains("rawg[used]", "rawg[new]").doesNotContain("rawg[idle]", "rawg[also idle]");
        assertThat(one.breakers.get(RAWG, "used")).isSameAs(used);
    }

    @Test
    void there_is_no_sweep_before_a_minute_has_passed() throws Exception {
        visit(one, "idle");
        for (int i = 0; i < 11; i++) {
            cluster.time.passSeconds(10);
            one.breakers.get(RAWG, "new " + i);
        }
        assertThat(namesOf(one)).contains("rawg[idle]");
    }

    @Test
    void a_changed_cap_holds_for_the_next_key() {
        room(1);
        one.breakers.get(RAWG, "a");
        assertThat(one.breakers.get(RAWG, "b")).isSameAs(one.breaker);
        room(2);
        assertThat(one.breakers.get(RAWG, "b")).isNotSameAs(one.breaker);
    }

    @Test
    void an_open_key_stays_in_memory_however_idle_it_is() throws Exception {
        outageOf("acme");
        CircuitBreaker acme = one.breakers.get(RAWG, "acme");
        sweepTwice(one);
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isSameAs(acme);
    }

    @Test
    void a_count_that_the_copy_does_not_know_stays_in_memory_and_one_that_it_knows_comes_back_from_there()
            throws Exception {
        fail(one.breakers.get(RAWG, "acme"));
        CircuitBreaker acme = one.breakers.get(RAWG, "acme");
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isSameAs(acme);
        visit(one, null);
        sweepTwice(one);
        sweepTwice(one);
        CircuitBreaker again = one.breakers.get(RAWG, "acme");
        assertThat(again).isNotSameAs(acme);
        assertThat(again.status().standing().consecutiveFailures()).isEqualTo(1);
    }

    @Test
    void what_a_call_still_does_on_a_breaker_that_was_dropped_is_seen_by_the_one_in_its_place() throws Exception {
        cluster.policy = cluster.policy.toBuilder().failureThreshold(1).build();
        CircuitBreakers alone = alone();
        CircuitBreaker dropped = alone.get(RAWG, "acme");
        CompletableFuture<String> onItsWay = new CompletableFuture<>();
        CompletionStage<String> answer =
                dropped.callStage(() -> onItsWay, () -> CompletableFuture.completedFuture("fallback"));
        sweepTwice(alone);
        sweepTwice(alone);
        CircuitBreaker inItsPlace = alone.get(RAWG, "acme");
        assertThat(inItsPlace).isNotSameAs(dropped);
        onItsWay.completeExceptionally(new java.io.IOException("HTTP 503"));
        assertThat(answer.toCompletableFuture()).isCompletedWithValue("fallback");
        assertThat(inItsPlace.isOpen()).isTrue();
        assertThat(alone.get(RAWG, "acme")).isSameAs(inItsPlace);
    }

    @Test
    void a_breaker_that_was_dropped_and_learns_something_takes_its_place_again() throws Exception {
        cluster.policy = cluster.policy.toBuilder().failureThreshold(1).build();
        CircuitBreakers alone = alone();
        CircuitBreaker dropped = alone.get(RAWG, "acme");
        sweepTwice(alone);
        sweepTwice(alone);
        assertThat(alone.all()).doesNotContain(dropped);
        fail(dropped);
        assertThat(alone.get(RAWG, "acme")).isSameAs(dropped);
        assertThat(dropped.isOpen()).isTrue();
    }

    @Test
    void room_is_made_on_a_server_without_a_managed_thread_too() {
        CircuitBreakers alone = alone();
        CircuitBreaker idle = alone.get(RAWG, "idle");
        cluster.time.reject(true);
        sweepTwice(alone);
        assertThat(alone.all()).isNotEmpty().doesNotContain(idle);
    }

    /** An instance without a shared store: what is not in memory is nowhere. */
    private CircuitBreakers alone() {
        return new CircuitBreakers(
                Optional.empty(),
                new MemoryBreakerStore(cluster.time, Instant.EPOCH, "alone"),
                new Surroundings(cluster.time, cluster.time, new BreakerListener() {}, Timings.DEFAULT),
                new Application(name -> cluster.policy, Map.of(), List.of(), Cluster.Rejection::new));
    }

    @Test
    void a_trial_or_a_timed_call_on_its_way_keeps_its_breaker_in_memory() throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().slowCall(Duration.ofHours(1)).build();
        CompletableFuture<String> onItsWay = new CompletableFuture<>();
        CircuitBreaker acme = one.breakers.get(RAWG, "acme");
        acme.callStage(() -> onItsWay, () -> CompletableFuture.completedFuture("fallback"));
        sweepTwice(one);
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isSameAs(acme);
        onItsWay.complete("primary");
        sweepTwice(one);
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isNotSameAs(acme);
        assertThat(cluster.time.timersSet()).isLessThanOrEqualTo(1);
    }

    @Test
    void an_instance_that_alone_keeps_away_for_one_tenant_does_so_for_that_one_and_probes_with_its_key()
            throws Exception {
        cluster.policy = cluster.policy.toBuilder().quorum(2).build();
        outageOf("acme");
        assertThat(one.breakers.get(RAWG, "acme").isOpen()).isTrue();
        assertThat(visit(one, "zenith")).isEqualTo("primary");
        assertThat(visit(other, "acme")).isEqualTo("primary");
        CircuitBreaker acme = one.breakers.get(RAWG, "acme");
        sweepTwice(one);
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isSameAs(acme);
        assertThat(visit(one, "acme")).isEqualTo("fallback");
        assertThat(cluster.provider.probedKeys).containsExactly("acme");
    }

    @Test
    void while_the_store_is_away_nothing_is_dropped() throws Exception {
        CircuitBreaker acme = one.breakers.get(RAWG, "acme");
        visit(one, "acme");
        cluster.store.goAway();
        fail(one.breakers.get(RAWG, "zenith"));
        assertThat(cluster.told).hasSize(1);
        sweepTwice(one);
        sweepTwice(one);
        assertThat(one.breakers.get(RAWG, "acme")).isSameAs(acme);
    }

    @Test
    void an_open_key_stays_open_when_the_store_goes_away() throws Exception {
        outageOf("acme");
        cluster.store.goAway();
        fail(one.breakers.get(RAWG, "zenith"));
        assertThat(visit(one, "acme")).isEqualTo("fallback");
        assertThat(visit(one, "zenith")).isEqualTo("primary");
    }

    @Test
    void with_background_probes_a_key_recovers_without_traffic_also_on_an_instance_that_never_had_it()
            throws Exception {
        cluster.policy =
                cluster.policy.toBuilder().probeTrigger(ProbeTrigger.BACKGROUND).build();
        outageOf("acme");
        one.breakers.close();
        other.breakers.get(RAWG, "zenith");
        other.breakers.startBackgroundProbes();
        for (int second = 0; second < 60; second++) {
            cluster.time.passSeconds(1);
            cluster.time.endRequest();
        }
        assertThat(other.breakers.get(RAWG, "acme").status().standing().state()).isEqualTo(CLOSED);
        assertThat(cluster.provider.probedKeys).containsExactly("acme", "acme", "acme");
        other.breakers.close();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void an_application_that_stops_gives_the_leases_of_keys_back() throws Exception {
        outageOf("acme");
        cluster.provider.whileAsked = one.breakers::close;
        cluster.passInterval();
        visit(one, "acme");
        assertThat(one.breakers.get(RAWG, "acme").status().recovery().leaseLeft())
                .isZero();
        assertThat(cluster.time.timersSet()).isZero();
    }

    @Test
    void to_make_ten_thousand_breakers_costs_no_look_at_those_before() {
        AtomicInteger policiesRead = new AtomicInteger();
        Instance counting = cluster.instance(() -> {
            policiesRead.incrementAndGet();
            return cluster.policy.toBuilder().maxKeys(10_000).build();
        });
        counting.breakers.startBackgroundProbes();
        IntStream.range(0, 10_000).forEach(i -> {
            counting.breakers.get(RAWG, "tenant " + i);
            counting.breakers.get("plain " + i);
        });
        assertThat(counting.breakers.all()).hasSize(20_001);
        assertThat(policiesRead).hasValueLessThan(100_000);
    }

    @Test
    void all_keys_of_a_breaker_tell_once_that_others_count_against_another_threshold() throws Exception {
        Instance newer = cluster.instance(() ->
                new PolicyBuilder().recovery(Recovery.PROBE).failureThreshold(5).build());
        for (String key : List.of("a", "b", "c")) {
            fail(newer.breakers.get(RAWG, key));
        }
        cluster.time.passSeconds(3);
        for (String key : List.of("a", "b", "c")) {
            visit(one, key);
            visit(one, key);
        }
        assertThat(cluster.told).containsExactly("threshold 3 here, 5 there");
    }
}
