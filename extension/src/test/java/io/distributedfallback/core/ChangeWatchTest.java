package io.distributedfallback.core;

import io.distributedfallback.CopyStatus;
import io.distributedfallback.FailureKind;
import io.distributedfallback.PushState;
import io.distributedfallback.core.ChangeFeed.Ears;
import io.distributedfallback.core.Cluster.Instance;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an instance makes of hearing at once what changes elsewhere. */
class ChangeWatchTest {

    private final Cluster cluster = new Cluster();
    private final Instance one = cluster.instance();
    private final Instance other = cluster.instance();
    private final Script feed = new Script();

    /** What a feed has to tell, one piece for each time that it is listened to; then it is lost. */
    private static final class Script implements ChangeFeed {

        private final Queue<Consumer<Ears>> pieces = new ArrayDeque<>();
        private ProblemCode end = ProblemCode.DFB302;
        private int listened;
        private boolean closed;
        private AssertionError refuted;

        Script then(Consumer<Ears> piece) {
            pieces.add(piece);
            return this;
        }

        @Override
        public void listen(Ears ears) {
            listened++;
            Consumer<Ears> piece = pieces.poll();
            if (piece != null) {
                try {
                    piece.accept(ears);
                } catch (AssertionError e) {
                    // Whoever asked for this would take it for trouble with the store.
                    refuted = e;
                }
            }
            throw new StoreException(new Problem(end, "the feed", "", "Wait"), null);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @AfterEach
    void no_assertion_was_lost_on_the_way() {
        if (feed.refuted != null) {
            throw feed.refuted;
        }
    }

    private PushState push() {
        return one.breakers.copy().push();
    }

    private void listen() throws Exception {
        one.breakers.listenTo(feed, false);
        one.visit();
    }

    @Test
    void nothing_is_listened_to_before_the_copy_has_been_read() throws Exception {
        one.breakers.listenTo(feed, false);
        assertThat(feed.listened).isZero();
        assertThat(push()).isEqualTo(PushState.CONNECTING);
        one.visit();
        assertThat(feed.listened).isEqualTo(1);
    }

    @Test
    void without_a_feed_push_is_off() throws Exception {
        one.visit();
        assertThat(one.breakers.copy())
                .isEqualTo(new CopyStatus(Optional.of(Duration.ZERO), PushState.OFF, Optional.empty()));
    }

    @Test
    void a_copy_that_was_never_read_has_no_age_and_its_store_is_not_known_to_be_down() {
        assertThat(one.breakers.copy()).isEqualTo(new CopyStatus(Optional.empty(), PushState.OFF, Optional.empty()));
    }

    @Test
    void the_status_tells_of_a_lost_store() throws Exception {
        cluster.store.goAway();
        one.visit();
        assertThat(one.breakers.copy().storeUp()).isFalse();
    }

    @Test
    void a_change_elsewhere_is_known_at_once_however_fresh_the_copy_is() throws Exception {
        List<Boolean> routes = new ArrayList<>();
        feed.then(ears -> {
            ears.listening();
            assertThat(push()).isEqualTo(PushState.LISTENING);
            routes.add(one.breaker.isOpen());
            openAt(other);
            ears.changed();
            cluster.time.pass(Duration.ofMillis(PromptReads.APART_MILLIS));
            routes.add(one.breaker.isOpen());
        });
        listen();
        assertThat(routes).containsExactly(false, true);
    }

    @Test
    void a_timer_does_not_find_a_store_that_was_lost_for_want_of_other_threads() throws Exception {
        feed.then(ears -> {
            cluster.time.rejectAllButTimers();
            Written unused =
                    one.breaker.outcomes().fail(Failures.one(FailureKind.OUTAGE, "HTTP 503"), cluster.time.nanos());
            assertThat(cluster.told).endsWith("lost DFB501");
            cluster.time.reject(false);
            ears.changed(); // not asked yet, and made up for later
            cluster.time.rejectAllButTimers();
            cluster.time.pass(Duration.ofMinutes(1));
            assertThat(cluster.told).doesNotContain("back");
        });
        listen();
        assertThat(feed.listened).isPositive();
    }

    @Test
    void a_change_that_no_thread_was_there_for_is_not_forgotten() throws Exception {
        List<Boolean> routes = new ArrayList<>();
        feed.then(ears -> {
            openAt(other);
            cluster.time.pass(Duration.ofMillis(PromptReads.APART_MILLIS));
            cluster.time.rejectAllButTimers();
            ears.changed();
            cluster.time.pass(Duration.ofMillis(PromptReads.APART_MILLIS));
            cluster.time.reject(false);
            routes.add(one.breaker.isOpen());
            cluster.time.pass(Duration.ofMillis(PromptReads.AGAIN_MILLIS));
            routes.add(one.breaker.isOpen());
        });
        listen();
        assertThat(routes).containsExactly(false, true);
    }

    private void openAt(Instance instance) {
        try {
            cluster.open(instance);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void the_copy_is_read_as_soon_as_it_listens_for_nobody_knows_what_went_unheard() throws Exception {
        feed.then(Ears::listening);
        listen();
        assertThat(cluster.store.reads()).isEqualTo(2);
        openAt(other);
        feed.then(Ears::listening);
        cluster.time.pass(ChangeWatch.FIRST_PAUSE);
        assertThat(one.breaker.isOpen()).isTrue();
    }

    @Test
    void ten_thousand_changes_at_once_cost_two_reads() throws Exception {
        int[] reads = new int[2];
        feed.then(ears -> {
            ears.listening();
            cluster.time.pass(Duration.ofSeconds(1));
            reads[0] = cluster.store.reads();
            for (int i = 0; i < 10_000; i++) {
                ears.changed();
            }
            cluster.time.pass(Duration.ofSeconds(1));
            reads[1] = cluster.store.reads();
        });
        listen();
        assertThat(reads[1] - reads[0]).isEqualTo(2);
    }

    @Test
    void a_storm_of_changes_costs_fifty_reads_a_second_at_most() throws Exception {
        int[] reads = new int[2];
        feed.then(ears -> {
            ears.listening();
            reads[0] = cluster.store.reads();
            for (int i = 0; i < 1_000; i++) {
                ears.changed();
                cluster.time.pass(Duration.ofMillis(1));
            }
            reads[1] = cluster.store.reads();
        });
        listen();
        assertThat(reads[1] - reads[0]).isBetween(45, 50);
    }

    @Test
    void changes_during_a_read_cause_exactly_one_more() throws Exception {
        int[] reads = new int[2];
        feed.then(ears -> {
            ears.listening();
            cluster.time.pass(Duration.ofSeconds(1));
            reads[0] = cluster.store.reads();
            cluster.time.hold();
            ears.changed();
            ears.changed();
            ears.changed();
            assertThat(cluster.time.heldTasks()).isEqualTo(1);
            cluster.store.beforeNextRead(() -> {
                ears.changed();
                ears.changed();
            });
            cluster.time.release();
            cluster.time.pass(Duration.ofSeconds(1));
            reads[1] = cluster.store.reads();
        });
        listen();
        assertThat(reads[1] - reads[0]).isEqualTo(2);
    }

    @Test
    void no_call_waits_for_a_read_that_a_change_sets_off() throws Exception {
        feed.then(ears -> {
            ears.listening();
            cluster.time.pass(Duration.ofSeconds(1));
            cluster.time.hold();
            ears.changed();
            int before = cluster.store.reads();
            assertThat(visit()).isEqualTo("primary");
            assertThat(cluster.store.reads()).isEqualTo(before);
            cluster.time.release();
        });
        listen();
    }

    private String visit() {
        try {
            return one.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void polling_goes_on_beside_it() throws Exception {
        feed.then(ears -> {
            ears.listening();
            cluster.time.passSeconds(1);
            int before = cluster.store.reads();
            cluster.time.passSeconds(3);
            visit();
            cluster.time.endRequest();
            assertThat(cluster.store.reads()).isEqualTo(before + 1);
        });
        listen();
    }

    @Test
    void a_read_that_is_not_answered_is_made_up_for_without_a_call() throws Exception {
        feed.then(ears -> {
            ears.listening();
            cluster.time.passSeconds(1);
            openAt(other);
            cluster.store.goAway();
            ears.changed();
            assertThat(one.breakers.copy().storeUp()).isFalse();
            cluster.store.comeBack();
            cluster.time.passSeconds(5);
            assertThat(one.breakers.copy().storeUp()).isTrue();
            assertThat(one.breaker.isOpen()).isTrue();
        });
        listen();
    }

    @Test
    void a_lost_connection_is_taken_up_again_after_1_s_doubling_to_30_s() throws Exception {
        listen();
        List<Long> pauses = new ArrayList<>();
        long since = 0;
        for (int i = 1; i < 200; i++) {
            int before = feed.listened;
            cluster.time.passSeconds(1);
            if (feed.listened > before) {
                pauses.add(i - since);
                since = i;
            }
        }
        assertThat(pauses).startsWith(1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(push()).isEqualTo(PushState.CONNECTING);
    }

    @Test
    void a_connection_that_lived_for_a_while_is_taken_up_again_after_1_s() throws Exception {
        feed.then(ears -> {}).then(ears -> {}).then(ears -> {
            ears.listening();
            cluster.time.passSeconds(31);
        });
        listen();
        cluster.time.passSeconds(3);
        cluster.time.passSeconds(31);
        int before = feed.listened;
        cluster.time.passSeconds(1);
        assertThat(feed.listened).isEqualTo(before + 1);
    }

    @Test
    void a_connection_that_is_cut_each_time_is_not_taken_up_each_second() throws Exception {
        for (int i = 0; i < 100; i++) {
            feed.then(Ears::listening);
        }
        listen();
        cluster.time.passSeconds(100);
        assertThat(feed.listened).isLessThan(10);
    }

    @Test
    void where_it_cannot_work_it_says_so_once_and_tries_again_rarely() throws Exception {
        feed.end = ProblemCode.DFB313;
        listen();
        assertThat(push()).isEqualTo(PushState.UNAVAILABLE);
        cluster.time.pass(Duration.ofMinutes(16));
        assertThat(feed.listened).isEqualTo(4);
        assertThat(cluster.told).containsExactly("silent DFB313");
    }

    @Test
    void it_tells_when_it_hears_again() throws Exception {
        feed.then(ears -> {}).then(ears -> {
            ears.listening();
            cluster.time.passSeconds(1);
        });
        listen();
        cluster.time.passSeconds(1);
        assertThat(cluster.told).containsExactly("silent DFB302", "listening", "silent DFB302");
    }

    @Test
    void a_user_who_insists_is_warned() throws Exception {
        one.breakers.listenTo(feed, true);
        one.visit();
        assertThat(cluster.told).containsExactly("silent DFB302, insisted");
    }

    @Test
    void a_driver_that_cannot_be_loaded_fails_nothing() throws Exception {
        one.breakers.listenTo(
                new ChangeFeed() {
                    @Override
                    public void listen(Ears ears) {
                        throw new NoClassDefFoundError("a/missing/Driver");
                    }

                    @Override
                    public void close() {}
                },
                false);
        assertThat(one.visit()).isEqualTo("primary");
        assertThat(push()).isEqualTo(PushState.CONNECTING);
    }

    @Test
    void without_threads_it_tries_again_with_the_read_after_the_next() throws Exception {
        one.breakers.listenTo(feed, false);
        cluster.time.hold();
        one.breakers.readAhead();
        assertThat(feed.listened).isZero();
        cluster.time.release();
        assertThat(feed.listened).isEqualTo(1);
    }

    @Test
    void when_the_application_stops_the_feed_is_closed_and_nothing_is_tried_again() throws Exception {
        listen();
        one.breakers.close();
        assertThat(feed.closed).isTrue();
        cluster.time.pass(Duration.ofMinutes(10));
        assertThat(feed.listened).isEqualTo(1);
    }

    @Test
    void a_feed_that_ends_because_the_application_stops_is_not_told_of() throws Exception {
        feed.then(ears -> {
            ears.listening();
            one.breakers.close();
        });
        listen();
        assertThat(cluster.told).isEmpty();
        assertThat(cluster.time.timersSet()).isZero();
    }
}
