package io.distributedfallback.queue;

import io.distributedfallback.core.AtOnce;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** When an instance looks for stored calls, what it does with those that it takes, and when it stops. */
class CallQueueTest {

    private static final QueueName NAME = new QueueName("mailer", "Mails#send()");
    private static final QueueRules RULES =
            new QueueRules(3, Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofHours(1), 10);
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final List<String> done = new ArrayList<>();
    private final List<TakenCall> pending = new ArrayList<>();
    private final List<Timer> timers = new ArrayList<>();
    private long nanos;
    private boolean clear = true;
    private boolean away;
    private Outcome outcome = Outcome.DONE;
    private boolean interrupts;
    private boolean trialDue;
    private boolean saturated;
    private Set<Long> lost = Set.of();
    private Runnable during = () -> {};
    private CallQueues queues;
    private CallQueue queue;

    private record Timer(long at, Runnable task) {}

    @BeforeEach
    void make() {
        queues = new CallQueues(
                new QueueParts(new Store(), new TestGate(), new Manual(), () -> nanos, new Told(), LEASE));
        queue = queues.add(NAME, RULES, call -> {
            done.add("make " + call.id());
            during.run();
            if (interrupts) {
                throw new InterruptedException("of the primary's own");
            }
            return outcome;
        });
    }

    private void add(int number) {
        for (int i = 1; i <= number; i++) {
            pending.add(call(i, 1, Duration.ZERO));
        }
    }

    private static TakenCall call(long id, int attempt, Duration age) {
        return new TakenCall(id, "[]", attempt, age, 7);
    }

    private void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (true) {
            Optional<Timer> next =
                    timers.stream().filter(timer -> timer.at <= end).min(Comparator.comparingLong(Timer::at));
            if (next.isEmpty()) {
                nanos = end;
                return;
            }
            timers.remove(next.get());
            nanos = Math.max(nanos, next.get().at);
            next.get().task.run();
        }
    }

    @Test
    void makes_what_is_there_when_it_starts_and_then_looks_once_a_minute() {
        add(2);
        queues.start(true);
        assertThat(done).containsExactly("look", "take", "make 1", "done 1", "make 2", "done 2", "take", "look");
        done.clear();
        pass(Duration.ofSeconds(61));
        assertThat(done).containsExactly("look");
    }

    @Test
    void leaves_the_database_alone_at_its_start_if_it_shall() {
        queues.start(false);
        assertThat(done).isEmpty();
        pass(Duration.ofMinutes(1));
        assertThat(done).containsExactly("look");
    }

    @Test
    void takes_nothing_while_the_breaker_is_open_and_has_it_looked_after() {
        add(1);
        clear = false;
        queues.start(true);
        pass(Duration.ofSeconds(11));
        assertThat(done).containsExactly("look", "look after", "look", "look after", "look", "look after");
        done.clear();
        clear = true;
        queues.changed();
        assertThat(done).contains("make 1", "done 1");
    }

    @Test
    void a_change_that_does_not_close_the_breaker_costs_nothing() {
        queues.changed();
        clear = false;
        queues.changed();
        queues.changed();
        assertThat(done).isEmpty();
    }

    @Test
    void gives_back_what_it_has_not_begun_when_the_breaker_opens() {
        add(3);
        during = () -> clear = false;
        outcome = new Outcome(Outcome.Kind.FAILED, "HTTP 503");
        queues.start(true);
        assertThat(done).containsSubsequence("make 1", "again 1 counts HTTP 503", "give back [2, 3]");
        assertThat(done).doesNotContain("make 2");
    }

    @Test
    void an_attempt_that_the_breaker_kept_away_does_not_count() {
        add(1);
        outcome = Outcome.KEPT_AWAY;
        queues.start(true);
        assertThat(done).contains("again 1 PT5S");
    }

    @Test
    void what_has_failed_too_often_is_too_old_or_hopeless_is_dead() {
        outcome = new Outcome(Outcome.Kind.FAILED, "HTTP 503");
        pending.add(call(1, 3, Duration.ZERO));
        pending.add(call(2, 1, Duration.ofHours(2)));
        pending.add(call(3, 4, Duration.ZERO));
        queues.start(true);
        assertThat(done)
                .contains("make 1", "dead 1 HTTP 503", "told dead 1")
                .contains("dead 2 It was stored longer ago than maxAge allows")
                .contains("dead 3 Instances ended, again and again, while it was made")
                .doesNotContain("make 2", "make 3");
        outcome = new Outcome(Outcome.Kind.HOPELESS, "HTTP 400");
        pending.add(call(4, 1, Duration.ZERO));
        pass(Duration.ofMinutes(1));
        assertThat(done).contains("dead 4 HTTP 400");
    }

    @Test
    void begins_no_call_with_a_lease_that_may_have_ended() {
        add(3);
        during = () -> nanos += LEASE.toNanos();
        queues.start(true);
        assertThat(done).containsSubsequence("make 1", "done 1", "give back [2, 3]");
    }

    @Test
    void prolongs_the_lease_while_a_call_takes_long() {
        add(2);
        during = () -> pass(Duration.ofSeconds(25));
        queues.start(true);
        assertThat(done)
                .containsSubsequence(
                        "make 1", "renew [1, 2]", "renew [1, 2]", "done 1", "make 2", "renew [2]", "done 2");
        assertThat(done).doesNotContain("give back [2]");
    }

    @Test
    void begins_no_call_that_another_instance_has_taken_meanwhile() {
        add(3);
        lost = Set.of(2L);
        during = () -> pass(Duration.ofSeconds(11));
        queues.start(true);
        assertThat(done).containsSubsequence("make 1", "renew [1, 2, 3]", "done 1", "make 3", "done 3");
        assertThat(done).doesNotContain("make 2");
    }

    @Test
    void an_interruption_that_is_not_the_applications_end_counts_as_a_failure() {
        add(2);
        interrupts = true;
        queues.start(true);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(done)
                .containsSubsequence(
                        "make 1",
                        "again 1 counts InterruptedException: of the primary's own",
                        "make 2",
                        "again 2 counts InterruptedException: of the primary's own");
    }

    @Test
    void an_interrupt_that_a_call_leaves_behind_does_not_meet_the_next_one() {
        add(2);
        List<Boolean> met = new ArrayList<>();
        during = () -> {
            met.add(Thread.currentThread().isInterrupted());
            Thread.currentThread().interrupt();
        };
        queues.start(true);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(met).containsExactly(false, false);
    }

    @Test
    void gives_back_before_it_passes_on_the_interrupt_of_an_application_that_stops() {
        add(2);
        interrupts = true;
        during = queues::close;
        queues.start(true);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(done).containsSubsequence("again 1 PT0S", "give back [2]");
    }

    @Test
    void one_call_is_the_trial_of_an_open_breaker_and_costs_no_attempt_if_it_fails() {
        pending.add(call(1, 3, Duration.ZERO));
        add(1);
        clear = false;
        trialDue = true;
        outcome = new Outcome(Outcome.Kind.FAILED, "HTTP 503");
        queues.start(true);
        assertThat(done).containsSubsequence("look", "look after", "take", "make 1", "look", "look after");
        assertThat(done).filteredOn(step -> step.startsWith("make")).hasSize(1);
        assertThat(done).anyMatch(step -> step.startsWith("again 1 PT"));
        trialDue = false;
        pass(Duration.ofSeconds(20));
        assertThat(done).filteredOn(step -> step.startsWith("make")).hasSize(1);
    }

    @Test
    void a_timer_that_rings_a_little_early_is_not_lost() {
        queues.start(true);
        Timer early = timers.remove(0);
        nanos = early.at - 1;
        add(1);
        early.task.run();
        assertThat(done).contains("done 1");
    }

    @Test
    void looks_again_once_there_are_threads_again() {
        saturated = true;
        queues.start(true);
        assertThat(done).containsExactly("look", "trouble");
        saturated = false;
        add(1);
        queues.changed();
        assertThat(done).contains("done 1");
    }

    @Test
    void ends_after_the_call_that_is_under_way_when_the_application_stops_and_judges_it_by_nothing() {
        add(3);
        during = queues::close;
        outcome = new Outcome(Outcome.Kind.HOPELESS, "the container is gone");
        queues.start(true);
        assertThat(done).containsSubsequence("make 1", "again 1 PT0S", "give back [2, 3]");
        done.clear();
        pass(Duration.ofMinutes(5));
        assertThat(done).isEmpty();
    }

    @Test
    void looks_again_after_the_store_was_away() {
        add(1);
        away = true;
        queues.start(true);
        assertThat(done).containsExactly("look", "trouble");
        away = false;
        pass(Duration.ofMinutes(1));
        assertThat(done).contains("done 1");
    }

    @Test
    void looks_for_what_it_has_stored_when_it_is_due_and_again_if_the_transaction_was_not_over() {
        queue.store(Optional.empty(), "[]", true);
        assertThat(done).containsExactly("store");
        pass(Duration.ofSeconds(1));
        assertThat(done).containsExactly("store", "look");
        add(1);
        pass(Duration.ofSeconds(5));
        assertThat(done).contains("done 1");
    }

    @Test
    void pauses_double_up_to_the_longest_half_of_it_by_chance() {
        assertThat(RULES.pauseAfter(1, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(RULES.pauseAfter(1, 0)).isEqualTo(Duration.ofMillis(500));
        assertThat(RULES.pauseAfter(2, 1)).isEqualTo(Duration.ofSeconds(2));
        assertThat(RULES.pauseAfter(900, 1)).isEqualTo(Duration.ofSeconds(3));
    }

    private final class TestGate implements Gate {
        @Override
        public boolean isClear(String breaker) {
            return clear;
        }

        @Override
        public boolean isTrialDue(String breaker) {
            return trialDue;
        }

        @Override
        public void lookAfter(String breaker) {
            done.add("look after");
        }
    }

    private final class Manual extends AtOnce {
        @Override
        public Task schedule(Duration delay, Runnable task) {
            if (saturated) {
                throw new RejectedExecutionException("no thread");
            }
            timers.add(new Timer(nanos + delay.toNanos(), task));
            return () -> {};
        }
    }

    private final class Told implements QueueListener {
        @Override
        public void dead(QueueName name, long id, String error) {
            done.add("told dead " + id);
        }

        @Override
        public void trouble(StoreException reason) {
            done.add("trouble");
        }
    }

    private final class Store implements CallStore {
        @Override
        public void store(NewCall call) {
            done.add("store");
        }

        @Override
        public List<TakenCall> take(QueueName name, Terms terms) {
            done.add("take");
            List<TakenCall> next = pending.subList(0, Math.min(terms.most(), pending.size()));
            List<TakenCall> taken = List.copyOf(next);
            next.clear();
            return taken;
        }

        @Override
        public Optional<Duration> untilNext(QueueName name, int rate) {
            done.add("look");
            if (away) {
                throw new StoreException(new Problem(ProblemCode.DFB302, "here", "", "Wait"), null);
            }
            return pending.isEmpty() ? Optional.empty() : Optional.of(Duration.ZERO);
        }

        @Override
        public Set<Long> renew(List<TakenCall> calls, Duration lease) {
            done.add("renew " + ids(calls));
            return calls.stream()
                    .map(TakenCall::id)
                    .filter(id -> !lost.contains(id))
                    .collect(Collectors.toSet());
        }

        @Override
        public void giveBack(List<TakenCall> calls) {
            if (!calls.isEmpty()) {
                done.add("give back " + (Thread.currentThread().isInterrupted() ? "while interrupted" : ids(calls)));
            }
        }

        private List<Long> ids(List<TakenCall> calls) {
            return calls.stream().map(TakenCall::id).toList();
        }

        @Override
        public boolean done(TakenCall call) {
            return done.add("done " + call.id());
        }

        @Override
        public boolean again(TakenCall call, Duration pause, boolean counts, Optional<String> error) {
            return done.add("again " + call.id() + (counts ? " counts " + error.orElse("") : " " + pause));
        }

        @Override
        public boolean dead(TakenCall call, String error) {
            return done.add("dead " + call.id() + " " + error);
        }
    }
}
