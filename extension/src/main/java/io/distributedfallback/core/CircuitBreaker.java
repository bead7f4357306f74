package io.distributedfallback.core;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerStatus;
import io.distributedfallback.Route;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * One breaker on one instance: routes each call, and tells the store how the primary fared.
 *
 * <p>A guarded call:
 *
 * <ol>
 *   <li>Sees to the age of the instance's copy of the store; nearly always there is nothing to do.
 *   <li>Takes one reading of its row and acts on that throughout.
 *   <li>Route to the fallback: has a probe seen to after the request if one is due, and answers from the fallback. With
 *       no probe, the caller that gets the lease of a due trial goes to the primary instead.
 *   <li>Route to the primary: calls it. A success resets a count above zero; while healthy nothing is written.
 *   <li>A failure is classified and recorded first; then the fallback answers, if failures of that kind use it. If it
 *       fails too, the caller gets the primary's exception, with the fallback's suppressed.
 * </ol>
 */
public final class CircuitBreaker implements Breaker, Guard {

    private final String name;
    private final Definition definition;
    private final Optional<String> key;
    private final Engine engine;
    private final Recovering recovering;
    private final Outcomes outcomes;
    private final FailureRules rules;
    private final Consumer<Sighting> afterWrite;
    private volatile View view;
    private volatile Policy policy;

    CircuitBreaker(String name, Engine engine) {
        this(name, Definition.of(name, engine), Optional.empty(), written -> {});
    }

    /**
     * @param definition what is said of it, and of all keys of the same breaker alike
     * @param key what its probe is given; empty if it is for no key
     * @param afterWrite gets each row that a write of this object left
     */
    CircuitBreaker(String name, Definition definition, Optional<String> key, Consumer<Sighting> afterWrite) {
        this.name = name;
        this.definition = definition;
        this.key = key;
        this.engine = definition.engine();
        this.rules = definition.rules();
        this.afterWrite = afterWrite;
        this.policy = definition.policy();
        Snapshot basis = engine.copy().latest();
        this.view = new View(basis, basis.of(name));
        this.recovering = new Recovering(this, engine);
        this.outcomes = new Outcomes(this, recovering, engine);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BreakerStatus status() {
        long now = engine.now();
        return seen().status(now, engine.copy().latest().age(now));
    }

    @Override
    public boolean isOpen() {
        return seen().route(engine.now()) == Route.FALLBACK;
    }

    @Override
    public <T> T call(Callable<T> primary, Callable<T> fallback) throws Exception {
        return call(primary, failure -> fallback.call(), rules);
    }

    @Override
    public <T> T call(Callable<T> primary, FallbackFunction<T> fallback) throws Exception {
        return call(primary, failure -> fallback.answer(failure.get()), rules);
    }

    @Override
    public <T> T call(Callable<T> primary) throws Exception {
        return call(primary, Fallback.none(), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, Callable<? extends CompletionStage<T>> fallback) {
        return callStage(primary, failure -> fallback.call(), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary, FallbackFunction<? extends CompletionStage<T>> fallback) {
        return callStage(primary, failure -> fallback.answer(failure.get()), rules);
    }

    @Override
    public <T> CompletionStage<T> callStage(Callable<? extends CompletionStage<T>> primary) {
        return callStage(primary, Fallback.none(), rules);
    }

    @Override
    public <T> T call(Callable<T> primary, Fallback<T> fallback, FailureRules rules) throws Exception {
        Admission admission = admit();
        if (admission.isRejected()) {
            return Unchecked.call(() -> fallback.answer(() -> rejection(admission)));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return primary.call();
        }
        OngoingCall call = outcomes.begin(admission);
        T answer;
        try {
            answer = primary.call();
        } catch (Throwable thrown) {
            if (outcomes.failed(thrown, call, rules)) {
                return FallbackOnly.after(thrown, fallback);
            }
            throw thrown;
        }
        outcomes.succeeded(call);
        return answer;
    }

    @Override
    public <T> CompletionStage<T> callStage(
            Callable<? extends CompletionStage<T>> primary,
            Fallback<? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        Admission admission = admit();
        if (admission.isRejected()) {
            return StageCall.of(() -> Unchecked.call(() -> fallback.answer(() -> rejection(admission))));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return StageCall.of(primary);
        }
        Report report = outcomes.report(outcomes.begin(admission), rules);
        return new StageCall<>(engine.background(), fallback, report).start(primary);
    }

    @Override
    public <T> Future<T> callFuture(
            Callable<? extends Future<T>> primary, Fallback<? extends Future<T>> fallback, FailureRules rules) {
        Admission admission = admit();
        if (admission.isRejected()) {
            return GuardedFuture.of(() -> Unchecked.call(() -> fallback.answer(() -> rejection(admission))));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return GuardedFuture.of(primary);
        }
        Report report = outcomes.report(outcomes.begin(admission), rules);
        return new GuardedFuture<T>(engine.surroundings(), fallback, report).start(primary);
    }

    Admission admit() {
        long now = engine.copy().freshen(engine.now());
        Sighting seen = seen();
        return seen.route(now) == Route.PRIMARY ? Admission.ROUTED : recovering.whileOpen(seen, now);
    }

    private RuntimeException rejection(Admission admission) {
        Sighting seen = admission.rejectedBy();
        return engine.whenOpen(name, seen.retryAfter(engine.now()), seen.describe(admission.rejectedAtNanos()));
    }

    /** What this instance knows of the row. A copy that is newer than the last look is taken in first. */
    Sighting seen() {
        View last = view;
        Snapshot latest = engine.copy().latest();
        return last.basis == latest ? last.sighting : rebase(latest);
    }

    private synchronized Sighting rebase(Snapshot latest) {
        policy = definition.policy();
        Sighting read = latest.of(name);
        Sighting best = read.supersedes(view.sighting) ? read : view.sighting;
        view = new View(latest, best);
        definition.thresholds().look(best.row(), policy);
        return best;
    }

    /** Takes in the row that a write left. */
    void see(Sighting written) {
        synchronized (this) {
            if (written.supersedes(view.sighting)) {
                view = new View(view.basis, written);
                definition.thresholds().look(written.row(), policy);
            }
        }
        afterWrite.accept(written);
    }

    /**
     * Whether nothing is lost if this object is forgotten and made again: nothing is under way, and either there is
     * nothing to know or the instance's copy knows it.
     */
    boolean holdsNothing() {
        long now = engine.now();
        Sighting seen = seen();
        Sighting read = engine.copy().latest().of(name);
        boolean isKnown = seen.equals(read) && seen.route(now) == Route.PRIMARY;
        return (isKnown || !(seen.at(now).matters() || read.at(now).matters()))
                && recovering.isIdle()
                && outcomes.isIdle();
    }

    /** Has a probe seen to if one is due, without a call. */
    void wakeProbe() {
        long now = engine.now();
        Sighting seen = seen();
        if (seen.route(now) == Route.FALLBACK) {
            recovering.whileOpen(seen, now);
        }
    }

    /** Gives a lease back and asks for no more. */
    void stop() {
        recovering.stop();
        outcomes.stop();
    }

    Definition definition() {
        return definition;
    }

    /** What asks the provider. */
    ProbeCall probe(Policy policy) {
        ProbeCall probe = definition.probe(policy);
        return key.map(probe::forKey).orElse(probe);
    }

    Outcomes outcomes() {
        return outcomes;
    }

    /** The policy as last read; read again with each new copy of the store and before each write. */
    Policy policy() {
        return policy;
    }

    Policy refreshPolicy() {
        policy = definition.policy();
        return policy;
    }

    private record View(Snapshot basis, Sighting sighting) {}
}
