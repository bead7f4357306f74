package io.distributedfallback.core;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.BreakerAlert.Kind;
import io.distributedfallback.BreakerState;
import io.distributedfallback.BreakerStatus.Holds;
import io.distributedfallback.BreakerStatus.RecoveryProgress;
import io.distributedfallback.BreakerStatus.Standing;
import io.distributedfallback.BreakerStatus.Window;
import jakarta.ws.rs.NotAuthorizedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.BreakerAlert.Kind.FALLBACK_SHARE;
import static io.distributedfallback.BreakerAlert.Kind.FLAPPING;
import static io.distributedfallback.BreakerAlert.Kind.MISCONFIGURED;
import static io.distributedfallback.BreakerAlert.Kind.OPENED;
import static io.distributedfallback.BreakerAlert.Kind.OPEN_FOR_LONG;
import static io.distributedfallback.BreakerAlert.Kind.STORE_UNREACHABLE;
import static io.distributedfallback.core.Cluster.RAWG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/** What somebody may have to look at, told once when it begins and once when it is over. */
class AlertsTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final Cluster cluster = new Cluster();
    private final ManualTime time = cluster.time;
    private AlertRules rules = AlertRules.DEFAULT;

    /** An instance that tells alerts. */
    private final class Watched {

        final List<BreakerAlert> told = new ArrayList<>();
        final Alerts alerts;
        final CircuitBreakers breakers;
        final CircuitBreaker breaker;

        Watched(String name) {
            alerts = new Alerts(rules, time, time, new AlertTeller(name, Clock.fixed(NOON, ZoneOffset.UTC), told::add));
            breakers = new CircuitBreakers(
                    Optional.of(cluster.store.as(name)),
                    new MemoryBreakerStore(time, Instant.EPOCH, name),
                    new Surroundings(time, time, alerts, Timings.DEFAULT, alerts),
                    new Application(
                            any -> cluster.policy, Map.of(RAWG, cluster.provider), List.of(), Cluster.Rejection::new));
            breaker = breakers.get(RAWG);
        }

        String visit() throws Exception {
            String answer = breaker.call(cluster.provider::visit, () -> "fallback");
            time.endRequest();
            return answer;
        }

        void visitEachSecond(long seconds) throws Exception {
            for (long i = 0; i < seconds; i++) {
                visit();
                time.passSeconds(1);
            }
        }

        List<String> edges() {
            return told.stream()
                    .map(alert -> (alert.active() ? "+" : "-") + alert.kind())
                    .toList();
        }

        List<String> edges(Kind kind) {
            return edges().stream()
                    .filter(edge -> edge.substring(1).equals(kind.name()))
                    .toList();
        }

        BreakerAlert last() {
            return told.get(told.size() - 1);
        }
    }

    private void open(Watched instance) throws Exception {
        cluster.provider.down();
        for (int i = 0; i < cluster.policy.failureThreshold(); i++) {
            instance.visit();
        }
    }

    /** Visits until it has closed. */
    private void recover(Watched instance) throws Exception {
        cluster.provider.up();
        for (int i = 0; instance.breaker.isOpen(); i++) {
            assertThat(i).isLessThan(10);
            cluster.passInterval();
            instance.visit();
        }
    }

    @Test
    void nothing_is_told_and_no_timer_is_set_while_all_is_well() throws Exception {
        Watched instance = new Watched("a");
        instance.visitEachSecond(600);
        assertThat(instance.told).isEmpty();
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void an_opening_and_its_end_are_told_once_in_the_cluster_by_those_whose_writes_made_them() throws Exception {
        Watched one = new Watched("one");
        Watched other = new Watched("other");
        one.visit();
        other.visit();
        open(one);
        time.passSeconds(3);
        other.visit();
        recover(other);
        one.visit();
        assertThat(one.edges()).containsExactly("+OPENED");
        assertThat(other.edges()).containsExactly("-OPENED");
        assertThat(one.last())
                .satisfies(alert -> assertThat(alert.instance()).isEqualTo("one"))
                .satisfies(alert -> assertThat(alert.breaker()).isEqualTo(RAWG))
                .satisfies(alert -> assertThat(alert.message()).contains(RAWG).contains("FAILURES"))
                .satisfies(alert -> assertThat(alert.at()).isNotEqualTo(NOON));
    }

    @Test
    void an_outage_of_five_minutes_is_told_once_by_each_instance_and_ends_when_it_sees_it_closed() throws Exception {
        Watched one = new Watched("one");
        Watched other = new Watched("other");
        open(one);
        for (int i = 0; i < 299; i++) {
            one.visit();
            other.visit();
            time.passSeconds(1);
        }
        assertThat(one.edges(OPEN_FOR_LONG)).isEmpty();
        one.visitEachSecond(2);
        other.visitEachSecond(600);
        assertThat(one.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
        assertThat(other.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
        assertThat(one.told.get(1).message()).contains("5 min").doesNotContain("no traffic");
        assertThat(one.told.get(1).at()).isEqualTo(NOON);
        recover(other);
        assertThat(other.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG", "-OPEN_FOR_LONG");
        assertThat(one.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
        time.passSeconds(3);
        one.visit();
        assertThat(one.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG", "-OPEN_FOR_LONG");
    }

    @Test
    void an_outage_of_four_minutes_is_not_a_long_one() throws Exception {
        Watched instance = new Watched("a");
        open(instance);
        instance.visitEachSecond(240);
        recover(instance);
        time.pass(Duration.ofDays(1));
        assertThat(instance.edges(OPEN_FOR_LONG)).isEmpty();
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void when_traffic_stops_while_it_is_open_the_alert_says_so_and_is_not_repeated() throws Exception { // E7
        Watched instance = new Watched("a");
        open(instance);
        instance.visitEachSecond(100);
        time.pass(Duration.ofDays(3));
        assertThat(instance.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
        assertThat(instance.told)
                .filteredOn(alert -> alert.kind() == OPEN_FOR_LONG)
                .allSatisfy(alert -> assertThat(alert.message()).contains("no traffic"));
        assertThat(time.timersSet()).isZero();
        instance.visitEachSecond(600);
        recover(instance);
        assertThat(instance.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG", "-OPEN_FOR_LONG");
    }

    @Test
    void three_openings_in_half_an_hour_are_flapping_whoever_made_them_until_they_are_past() throws Exception {
        Watched one = new Watched("one");
        Watched other = new Watched("other");
        for (int outage = 0; outage < 3; outage++) {
            assertThat(other.edges(FLAPPING)).isEmpty();
            open(outage == 1 ? other : one);
            time.passSeconds(3);
            one.visit();
            other.visit();
            recover(one);
            time.passSeconds(60);
        }
        assertThat(one.edges(FLAPPING)).containsExactly("+FLAPPING");
        assertThat(other.edges(FLAPPING)).containsExactly("+FLAPPING");
        time.pass(Duration.ofHours(1));
        assertThat(one.edges(FLAPPING)).containsExactly("+FLAPPING", "-FLAPPING");
        assertThat(other.edges(FLAPPING)).containsExactly("+FLAPPING", "-FLAPPING");
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void two_openings_in_half_an_hour_and_one_later_are_outages() throws Exception {
        Watched instance = new Watched("a");
        for (int outage = 0; outage < 3; outage++) {
            open(instance);
            recover(instance);
            time.pass(Duration.ofMinutes(15));
        }
        assertThat(instance.edges(FLAPPING)).isEmpty();
    }

    @Test
    void a_share_of_the_fallback_above_ten_per_cent_is_told_until_it_is_below() throws Exception {
        Watched instance = new Watched("a");
        visitsOfWhichFail(instance, 600, 9);
        assertThat(instance.edges()).isEmpty();
        visitsOfWhichFail(instance, 600, 12);
        assertThat(instance.edges()).containsExactly("+FALLBACK_SHARE");
        assertThat(instance.last().message()).contains(RAWG).contains(" of 300 calls");
        visitsOfWhichFail(instance, 600, 0);
        assertThat(instance.edges()).containsExactly("+FALLBACK_SHARE", "-FALLBACK_SHARE");
        assertThat(time.timersSet()).isZero();
    }

    /** A call a second, of which so many of a hundred fail, and never two in a row. */
    private void visitsOfWhichFail(Watched instance, int calls, int ofHundred) throws Exception {
        for (int i = 0; i < calls; i++) {
            if (i * ofHundred / 100 == (i + 1) * ofHundred / 100) {
                cluster.provider.up();
            } else {
                cluster.provider.down();
            }
            instance.visit();
            time.passSeconds(1);
        }
    }

    @Test
    void of_fewer_calls_than_the_minimum_there_is_no_share() throws Exception {
        Watched instance = new Watched("a");
        cluster.policy = cluster.policy.toBuilder().failureThreshold(1_000).build();
        cluster.provider.down();
        for (int i = 0; i < 100; i++) {
            instance.visit();
            time.passSeconds(16);
        }
        assertThat(instance.edges(FALLBACK_SHARE)).isEmpty();
        time.pass(Duration.ofHours(1));
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void mistakes_of_callers_are_no_fallbacks() throws Exception {
        Watched instance = new Watched("a");
        FailureRules callersMistakes = new FailureRules(
                RAWG, List.of(Throwable.class), List.of(IOException.class), List.of(), instance.alerts);
        for (int i = 0; i < 600; i++) {
            assertThatIOException()
                    .isThrownBy(() -> instance.breaker.<Callable<String>, String>call(
                            Cluster::fail, Callable::call, (called, failure) -> "fallback", callersMistakes));
            time.passSeconds(1);
        }
        assertThat(instance.told).isEmpty();
    }

    @Test
    void what_is_off_is_not_told() throws Exception {
        rules = new AlertRules(Optional.empty(), OptionalDouble.empty(), 20, 3);
        Watched instance = new Watched("a");
        open(instance);
        instance.visitEachSecond(900);
        assertThat(instance.edges()).containsExactly("+OPENED");
    }

    @Test
    void a_provider_that_refuses_is_told_once_until_it_has_not_for_five_minutes() throws Exception {
        Watched instance = new Watched("a");
        cluster.provider.failure = new NotAuthorizedException("Bearer");
        instance.visitEachSecond(900);
        assertThat(instance.edges(MISCONFIGURED)).containsExactly("+MISCONFIGURED");
        assertThat(instance.told.get(0).message()).contains(RAWG).contains("401");
        cluster.provider.up();
        instance.visitEachSecond(298);
        assertThat(instance.edges(MISCONFIGURED)).containsExactly("+MISCONFIGURED");
        instance.visitEachSecond(400);
        assertThat(instance.edges(MISCONFIGURED)).containsExactly("+MISCONFIGURED", "-MISCONFIGURED");
        assertThat(instance.edges(OPENED)).isEmpty();
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void a_lost_store_is_told_once_and_so_is_its_return() throws Exception {
        Watched instance = new Watched("a");
        instance.visit();
        cluster.store.goAway();
        for (int i = 0; i < 120; i++) {
            instance.visit();
            time.passSeconds(1);
        }
        assertThat(instance.edges()).containsExactly("+STORE_UNREACHABLE");
        assertThat(instance.last().breaker()).isEmpty();
        assertThat(instance.last().message()).contains("DFB3");
        cluster.store.comeBack();
        instance.visitEachSecond(120);
        assertThat(instance.edges()).containsExactly("+STORE_UNREACHABLE", "-STORE_UNREACHABLE");
        assertThat(instance.edges(STORE_UNREACHABLE)).hasSize(2);
    }

    @Test
    void a_read_that_was_asked_before_the_breaker_opened_does_not_end_what_has_begun() throws Exception {
        Watched instance = new Watched("a");
        long before = time.nanos();
        time.passSeconds(1);
        open(instance);
        instance.visitEachSecond(320);
        instance.alerts.storeRead(List.of(), before);
        assertThat(instance.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
    }

    @Test
    void a_breaker_that_closed_and_opened_unseen_has_begun_anew() throws Exception {
        Watched instance = new Watched("a");
        instance.alerts.storeRead(List.of(openSince(NOON)), time.nanos());
        time.passSeconds(200);
        instance.alerts.storeRead(List.of(openSince(NOON)), time.nanos());
        time.passSeconds(90);
        instance.alerts.storeRead(List.of(openSince(NOON.plusSeconds(280))), time.nanos());
        time.passSeconds(290);
        assertThat(instance.told).isEmpty();
        time.passSeconds(10);
        assertThat(instance.edges()).containsExactly("+OPEN_FOR_LONG");
        instance.alerts.storeRead(List.of(openSince(NOON.plusSeconds(590))), time.nanos());
        assertThat(instance.edges()).containsExactly("+OPEN_FOR_LONG", "-OPEN_FOR_LONG", "+FLAPPING");
    }

    private static BreakerRow openSince(Instant openedAt) {
        return new BreakerRow(
                RAWG,
                1,
                new Standing(
                        BreakerState.OPEN, 3, OptionalInt.of(3), Set.of("b"), Optional.of(openedAt), Optional.empty()),
                Window.NONE,
                RecoveryProgress.NONE,
                Holds.NONE,
                Optional.empty());
    }

    @Test
    void an_instance_that_starts_while_it_is_open_counts_from_then() throws Exception {
        Watched one = new Watched("one");
        open(one);
        one.visitEachSecond(200);
        Watched late = new Watched("late");
        for (int i = 0; i < 200; i++) {
            one.visit();
            late.visit();
            time.passSeconds(1);
        }
        assertThat(late.edges(OPEN_FOR_LONG)).isEmpty();
        late.visitEachSecond(110);
        assertThat(late.edges(OPEN_FOR_LONG)).containsExactly("+OPEN_FOR_LONG");
    }

    @Test
    void a_breaker_of_the_table_that_this_application_does_not_have_is_not_told_of() throws Exception {
        Watched old = new Watched("old");
        CircuitBreaker gone = old.breakers.get("gone");
        for (int i = 0; i < 3; i++) {
            assertThat(gone.call(Cluster::fail, () -> "fallback")).isEqualTo("fallback");
        }
        Watched instance = new Watched("new");
        instance.visitEachSecond(600);
        assertThat(instance.told).isEmpty();
    }

    @Test
    void a_key_has_alerts_of_its_own_and_the_share_is_that_of_all_keys() throws Exception {
        Watched instance = new Watched("a");
        CircuitBreaker acme = instance.breakers.get(RAWG, "acme");
        cluster.provider.down();
        for (int i = 0; i < 400; i++) {
            acme.call(Cluster::fail, () -> "fallback");
            time.endRequest();
            time.passSeconds(1);
        }
        assertThat(instance.told)
                .extracting(alert -> alert.breaker() + " " + alert.kind())
                .containsExactlyInAnyOrder("rawg[acme] OPENED", "rawg FALLBACK_SHARE", "rawg[acme] OPEN_FOR_LONG");
    }

    @Test
    void a_thousand_tenants_that_were_open_once_are_forgotten() throws Exception {
        Watched instance = new Watched("a");
        for (int tenant = 0; tenant < 1_000; tenant++) {
            CircuitBreaker breaker = instance.breakers.get(RAWG, "tenant-" + tenant % 900);
            for (int i = 0; i < 3; i++) {
                breaker.call(Cluster::fail, () -> "fallback");
            }
        }
        assertThat(instance.alerts.watched()).isEqualTo(900);
        cluster.provider.up();
        for (int i = 0; i < 5; i++) {
            cluster.passInterval();
            for (int tenant = 0; tenant < 900; tenant++) {
                instance.breakers.get(RAWG, "tenant-" + tenant).call(cluster.provider::visit, () -> "fallback");
            }
            time.endRequest();
        }
        time.pass(Duration.ofHours(1));
        assertThat(instance.alerts.watched()).isZero();
        assertThat(time.timersSet()).isZero();
    }

    @Test
    void where_no_thread_can_be_had_the_next_thing_that_happens_sets_the_timer() throws Exception {
        Watched instance = new Watched("a");
        instance.visit();
        time.reject(true);
        instance.alerts.misconfigured(RAWG, "HTTP 401");
        assertThat(time.timersSet()).isZero();
        time.reject(false);
        instance.alerts.misconfigured(RAWG, "HTTP 401");
        assertThat(time.timersSet()).isEqualTo(1);
    }
}
