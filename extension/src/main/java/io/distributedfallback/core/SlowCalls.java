package io.distributedfallback.core;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The calls of one breaker that are on their way to the primary while {@code slow-call} is on. One that hangs counts
 * when it is overdue; nobody waits for its end, which may never come.
 *
 * <ol>
 *   <li>A call enters when it begins and leaves when it ends.
 *   <li>While there are any, one timer is set, for when the first of them is overdue. (One timer for each call would
 *       cost more than a quick call.)
 *   <li>When it goes off, those that are overdue leave and are counted together, and it is set again for the rest.
 *   <li>If it goes off too late by as much as a call may take, or has not by then, this instance has stood still (a
 *       container that was paused, a long collection): that says nothing of the provider. The time of such a call begins
 *       anew, and one that comes back before the timer has noticed is not slow.
 * </ol>
 *
 * Where no timer can be had, a call is found too slow when it ends, or when the next one sets out.
 */
final class SlowCalls {

    private final Engine engine;
    private final Consumer<List<OngoingCall>> overdue;
    private final Set<OngoingCall> onTheirWay = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean set = new AtomicBoolean();
    private volatile Background.Task timer = () -> {};

    /** When the timer is to go off; empty if none is set. */
    private volatile OptionalLong dueNanos = OptionalLong.empty();

    private volatile boolean stopped;

    /** @param overdue counts the calls that it gets; on a managed thread */
    SlowCalls(Engine engine, Consumer<List<OngoingCall>> overdue) {
        this.engine = engine;
        this.overdue = overdue;
    }

    void enter(OngoingCall call) {
        onTheirWay.add(call);
        setTimerUnlessSet();
    }

    void leave(OngoingCall call) {
        onTheirWay.remove(call);
    }

    /** Whether a call that comes back now, or is asked for, is too slow. */
    boolean isOverdue(OngoingCall call) {
        long now = engine.now();
        // In this order: the timer first gives a call its time anew, and then is no longer late.
        return !isSleptThrough(call, now) && call.isOverdue(now);
    }

    private boolean isSleptThrough(OngoingCall call, long now) {
        OptionalLong due = dueNanos;
        return due.isPresent() && call.isSleptThrough(due.getAsLong(), now);
    }

    boolean isEmpty() {
        return onTheirWay.isEmpty();
    }

    void stop() {
        stopped = true;
        timer.cancel();
    }

    private void setTimerUnlessSet() {
        if (!set.get() && set.compareAndSet(false, true)) {
            setTimer();
        }
    }

    private void setTimer() {
        long now = engine.now();
        long first =
                onTheirWay.stream().mapToLong(call -> call.leftNanos(now)).min().orElse(Long.MAX_VALUE);
        if (first == Long.MAX_VALUE || stopped) {
            set.set(false);
            if (!onTheirWay.isEmpty() && !stopped) {
                // It came between the look and the word that no timer is set.
                setTimerUnlessSet();
            }
            return;
        }
        Duration wait = Duration.ofNanos(Math.max(0, first) + 1);
        dueNanos = OptionalLong.of(now + wait.toNanos());
        try {
            timer = engine.background().schedule(wait, this::goOff);
        } catch (RejectedExecutionException e) {
            dueNanos = OptionalLong.empty();
            set.set(false);
            count(takeOverdue());
        }
    }

    private void goOff() {
        long now = engine.now();
        onTheirWay.stream().filter(call -> isSleptThrough(call, now)).forEach(call -> call.beginAnew(now));
        dueNanos = OptionalLong.empty();
        List<OngoingCall> late = takeOverdue();
        setTimer();
        count(late);
    }

    /** Those that are overdue leave; what has turned out in time is not among them. */
    private List<OngoingCall> takeOverdue() {
        long now = engine.now();
        List<OngoingCall> due =
                onTheirWay.stream().filter(call -> call.isOverdue(now)).toList();
        due.forEach(this::leave);
        return due.stream()
                .filter(call -> !call.turnsOutInTime() && call.count())
                .toList();
    }

    private void count(List<OngoingCall> late) {
        if (!late.isEmpty()) {
            overdue.accept(late);
        }
    }
}
