package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.FallbackLimitedException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** {@code @FallbackLimit} beside {@code @DistributedFallback}. */
class FallbackLimitTest extends InWeld {

    private void forceOpen(String breaker) {
        container.select(Breakers.class).get().get(breaker).forceOpen("ann", "test");
    }

    @ApplicationScoped
    static class Catalogue {

        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        @FallbackLimit(value = 1, burst = 2)
        String search() throws IOException {
            throw new IOException("down");
        }

        @DistributedFallback(breaker = "later", fallbackMethod = "insteadLater")
        @FallbackLimit(value = 1000, burst = 100, maxConcurrent = 1, scope = Scope.CLUSTER)
        CompletionStage<String> searchLater(CompletionStage<String> answer) {
            return CompletableFuture.failedFuture(new IOException("down"));
        }

        String instead() {
            return "fallback";
        }

        CompletionStage<String> insteadLater(CompletionStage<String> answer) {
            return answer;
        }
    }

    @Test
    void while_open_a_call_over_the_cap_gets_the_limits_exception_and_a_warning_is_logged_once() throws Exception {
        Catalogue catalogue = start(Catalogue.class);
        forceOpen("rawg");
        assertThat(catalogue.search()).isEqualTo("fallback");
        assertThat(catalogue.search()).isEqualTo("fallback");
        FallbackLimitedException limited = catchThrowableOfType(FallbackLimitedException.class, catalogue::search);
        assertThat(limited.breaker()).isEqualTo("rawg");
        assertThat(limited.limit()).isEqualTo("rawg");
        assertThat(limited.retryAfter()).isPositive().isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThatThrownBy(catalogue::search).isInstanceOf(FallbackLimitedException.class);
        assertThat(warnings.of("DFB417"))
                .containsExactly("DFB417: a fallback limit keeps calls from the fallback: limit rawg [as many calls as"
                        + " may begin have begun, breaker rawg]. Callers get a FallbackLimitedException with the time to"
                        + " retry. Raise the limit if the fallback can take more, or let @LastGood answer before it");
    }

    @Test
    void if_the_primary_failed_its_exception_is_the_callers_with_the_limits_suppressed() throws Exception {
        settings.put("distributed-fallback.breaker.rawg.failure-threshold", "100");
        Catalogue catalogue = start(Catalogue.class);
        catalogue.search();
        catalogue.search();
        Throwable thrown = catchThrowable(catalogue::search);
        assertThat(thrown).isInstanceOf(IOException.class).hasMessage("down");
        assertThat(thrown.getSuppressed()).singleElement().isInstanceOf(FallbackLimitedException.class);
    }

    @Test
    void a_stage_holds_its_turn_until_it_completes_and_one_that_is_refused_fails() {
        Catalogue catalogue = start(Catalogue.class);
        forceOpen("later");
        CompletableFuture<String> slow = new CompletableFuture<>();
        catalogue.searchLater(slow);
        assertThat(catalogue.searchLater(new CompletableFuture<>()))
                .isCompletedExceptionally()
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .withCauseInstanceOf(FallbackLimitedException.class);
        slow.complete("slow");
        assertThat(catalogue.searchLater(CompletableFuture.completedFuture("next")))
                .isCompletedWithValue("next");
    }

    @Test
    void the_configuration_overrides_members_and_switches_it_off() throws Exception {
        settings.put("FallbackLimit/burst", "1");
        settings.put(Catalogue.class.getName() + "/searchLater/FallbackLimit/burst", "100");
        settings.put(Catalogue.class.getName() + "/searchLater/FallbackLimit/enabled", "false");
        Catalogue catalogue = start(Catalogue.class);
        forceOpen("rawg");
        forceOpen("later");
        catalogue.search();
        assertThatThrownBy(catalogue::search).isInstanceOf(FallbackLimitedException.class);
        catalogue.searchLater(new CompletableFuture<>());
        assertThat(catalogue.searchLater(new CompletableFuture<>())).isNotDone();
    }

    @Test
    void a_breaker_that_is_taken_away_leaves_the_limit() throws Exception {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Catalogue catalogue = start(Catalogue.class);
        catalogue.search();
        catalogue.search();
        assertThatThrownBy(catalogue::search).isInstanceOf(IOException.class);
    }

    @ApplicationScoped
    static class Wrapping {
        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        @FallbackLimit(1000)
        String search() {
            return "primary";
        }

        String instead(Throwable failure) {
            throw new IllegalStateException("nothing to show", failure);
        }
    }

    @Test
    void a_fallback_that_throws_on_that_the_breaker_is_open_is_in_no_trouble() {
        Wrapping bean = start(Wrapping.class);
        forceOpen("rawg");
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(bean::search).isInstanceOf(IllegalStateException.class);
        }
    }

    @ApplicationScoped
    @FallbackLimit(1)
    static class Partly {
        @DistributedFallback(breaker = "with", fallbackMethod = "instead")
        String with() {
            return "primary";
        }

        @DistributedFallback(breaker = "without")
        String without() {
            return "primary";
        }

        String instead() {
            return "fallback";
        }
    }

    @Test
    void on_a_class_it_holds_for_the_methods_that_have_a_fallback() {
        Partly bean = start(Partly.class);
        forceOpen("with");
        forceOpen("without");
        assertThat(bean.with()).isEqualTo("fallback");
        assertThatThrownBy(bean::with).isInstanceOf(FallbackLimitedException.class);
        assertThatThrownBy(bean::without).isInstanceOf(BreakerOpenException.class);
    }

    @ApplicationScoped
    static class Shared {
        @DistributedFallback(breaker = "one", fallbackMethod = "instead")
        @FallbackLimit(value = 1, name = "igdb")
        String one() {
            return "primary";
        }

        @DistributedFallback(breaker = "two", fallbackMethod = "instead")
        @FallbackLimit(value = 1, name = "igdb")
        String two() {
            return "primary";
        }

        String instead() {
            return "fallback";
        }
    }

    @Test
    void methods_that_name_the_same_limit_share_it() {
        Shared bean = start(Shared.class);
        forceOpen("one");
        forceOpen("two");
        assertThat(bean.one()).isEqualTo("fallback");
        assertThat(catchThrowableOfType(FallbackLimitedException.class, bean::two)
                        .limit())
                .isEqualTo("igdb");
    }

    private void refuses(Class<?> bean, String... messages) {
        assertThatThrownBy(() -> startAll(bean)).hasMessageContainingAll(messages);
    }

    @ApplicationScoped
    static class Unguarded {
        @FallbackLimit(1)
        String search() {
            return "primary";
        }
    }

    @ApplicationScoped
    @FallbackLimit(1)
    static class UnguardedClass {
        String search() {
            return "primary";
        }
    }

    @Test
    void on_what_is_not_guarded_it_is_refused() {
        refuses(
                Unguarded.class,
                "DFB125: a fallback limit on a method that is not guarded: " + Unguarded.class.getName()
                        + ".search [@FallbackLimit]");
        refuses(UnguardedClass.class, "DFB125", UnguardedClass.class.getName() + " [@FallbackLimit]");
    }

    @ApplicationScoped
    static class Alone {
        @DistributedFallback(breaker = "rawg")
        @FallbackLimit(1)
        String search() {
            return "primary";
        }
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "rawg")
    @FallbackLimit(1)
    static class AllAlone {
        String search() {
            return "primary";
        }
    }

    @Test
    void without_a_fallback_there_is_nothing_to_limit() {
        refuses(Alone.class, "DFB126: there is no fallback to limit: " + Alone.class.getName() + ".search");
        refuses(AllAlone.class, "DFB126", AllAlone.class.getName() + " [@FallbackLimit]");
    }

    @Test
    void one_that_is_switched_off_may_stand_where_there_is_nothing_to_limit() {
        settings.put(AllAlone.class.getName() + "/FallbackLimit/enabled", "false");
        settings.put(Alone.class.getName() + "/search/FallbackLimit/enabled", "false");
        assertThat(start(AllAlone.class, Alone.class).search()).isEqualTo("primary");
    }

    @ApplicationScoped
    static class Differing {
        @DistributedFallback(breaker = "one", fallbackMethod = "instead")
        @FallbackLimit(value = 1, name = "igdb")
        String one() {
            return "primary";
        }

        @DistributedFallback(breaker = "two", fallbackMethod = "instead")
        @FallbackLimit(value = 2, name = "igdb", maxConcurrent = 7)
        String two() {
            return "primary";
        }

        String instead() {
            return "fallback";
        }
    }

    @Test
    void one_name_with_different_settings_is_refused_and_both_are_listed() {
        refuses(
                Differing.class,
                "DFB127: one fallback limit has different settings: limit igdb",
                ".one: 1 a second for each instance, burst 1, maxConcurrent any, maxWait off",
                ".two: 2 a second for each instance, burst 1, maxConcurrent 7, maxWait off");
    }

    @ApplicationScoped
    static class Flawed {
        @DistributedFallback(breaker = "one", fallbackMethod = "instead")
        @FallbackLimit(value = 1, name = " ")
        String one() {
            return "primary";
        }

        @DistributedFallback(breaker = "two", fallbackMethod = "instead")
        @FallbackLimit(value = 0, maxConcurrent = -1, burst = -1)
        String two() {
            return "primary";
        }

        @DistributedFallback(breaker = "three", fallbackMethod = "instead")
        @FallbackLimit(value = 1, maxWait = "6s")
        String three() {
            return "primary";
        }

        @DistributedFallback(breaker = "four", fallbackMethod = "instead")
        @FallbackLimit(value = 1000, burst = 99, scope = Scope.CLUSTER)
        String four() {
            return "primary";
        }

        String instead() {
            return "fallback";
        }
    }

    @Test
    void all_that_is_wrong_with_settings_is_told_at_once() {
        refuses(
                Flawed.class,
                "DFB128: the fallback limit's name is not usable: " + Flawed.class.getName() + ".one",
                "@FallbackLimit.value on " + Flawed.class.getName() + ".two [0]",
                "@FallbackLimit.maxConcurrent on",
                "@FallbackLimit.burst on",
                "DFB213: the settings of a fallback limit do not fit: " + Flawed.class.getName()
                        + ".three [maxWait = PT6S]. A call may wait 5s at most",
                ".four [scope = CLUSTER, burst = 99]",
                "let it be 100 or more");
    }

    @Test
    void a_wait_that_the_configuration_makes_too_long_is_told_as_configured() {
        settings.put("FallbackLimit/maxWait", "7s");
        refuses(Catalogue.class, "DFB213", ".search [maxWait = PT7S]. A call may wait 5s at most");
    }
}
