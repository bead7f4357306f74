package io.distributedfallback.core;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.Route;
import java.util.Optional;
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
 *   <li>Route to the primary: calls it. A success resets a count above zero, and counts in a window that is under
 *       way; while healthy nothing is written.
 *   <li>A failure is classified and told first; while it is being written the fallback answers, if failures of that kind
 *       use it. If it fails too, the caller gets the primary's exception, with the fallback's suppressed. No caller
 *       leaves before the write has come back, or has taken too long.
 * </ol>
 */
public final class CircuitBreaker extends CallableBreaker {

    private final String name;
    private final Definition definition;
    private final Optional<String> key;
    private final Engine engine;
    private final Recovering recovering;
    private final OwnBreaker own;
    private final Outcomes outcomes;
    private final Consumer<Sighting> afterWrite;
    private final Knowledge knowledge;
    private final CallWatch watch;

    /**
     * @param definition what is said of it, and of all keys of the same breaker alike
     * @param key what its probe is given; empty if it is for no key
     * @param afterWrite gets each row that a write of this object left
     */
    CircuitBreaker(String name, Definition definition, Optional<String> key, Consumer<Sighting> afterWrite) {
        super(definition.rules());
        this.name = name;
        this.definition = definition;
        this.key = key;
        this.engine = definition.engine();
        this.afterWrite = afterWrite;
        this.recovering = new Recovering(this, engine);
        this.own = new OwnBreaker(this, engine);
        this.outcomes = new Outcomes(this, own, engine);
        this.knowledge = new Knowledge(name, definition, own, outcomes);
        this.watch = definition.watch();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BreakerStatus status() {
        long now = engine.now();
        Sighting seen = seen();
        return seen.status(now, own.keepsAway(seen, now), engine.copy().latest().age(now));
    }

    @Override
    public BreakerStatus command(OperatorCommand command) {
        Commands.carryOut(command, this, own, engine);
        return status();
    }

    @Override
    public <C, T> T call(C context, Primary<C, T> primary, Fallback<C, T> fallback, FailureRules rules)
            throws Exception {
        long began = engine.now();
        Admission admission = admit(began);
        if (admission.isRejected()) {
            return reject(admission, context, watch.over(fallback, admission.reason()));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return primary.answer(context);
        }
        OngoingCall call = outcomes.begin(admission);
        T answer;
        try {
            answer = primary.answer(context);
        } catch (Throwable thrown) {
            watch.threw();
            Recorded recorded = outcomes.failed(thrown, call.begunAt(began), rules);
            try {
                if (recorded.usesFallback()) {
                    return FallbackOnly.after(thrown, context, watch.over(fallback, FallbackReason.FAILED));
                }
                throw thrown;
            } finally {
                recorded.written().await();
            }
        }
        watch.returned();
        if (call != OngoingCall.HEALTHY || !knowledge.isQuiet()) {
            outcomes.succeeded(call);
        }
        return answer;
    }

    @Override
    public <C, T> CompletionStage<T> callStage(
            C context,
            Primary<C, ? extends CompletionStage<T>> primary,
            Fallback<C, ? extends CompletionStage<T>> fallback,
            FailureRules rules) {
        long began = engine.now();
        Admission admission = admit(began);
        if (admission.isRejected()) {
            return StageCall.of(() -> reject(admission, context, watch.overLater(fallback, admission.reason())));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return StageCall.of(() -> primary.answer(context));
        }
        Report report = outcomes.report(outcomes.begin(admission), began, rules);
        return new StageCall<C, T>(engine.background(), context, fallback, report).start(primary);
    }

    @Override
    public <C, T> Future<T> callFuture(
            C context,
            Primary<C, ? extends Future<T>> primary,
            Fallback<C, ? extends Future<T>> fallback,
            FailureRules rules) {
        long began = engine.now();
        Admission admission = admit(began);
        if (admission.isRejected()) {
            return GuardedFuture.of(() -> reject(admission, context, watch.overLater(fallback, admission.reason())));
        }
        if (admission == Admission.OF_THE_PROBE) {
            return GuardedFuture.of(() -> primary.answer(context));
        }
        Report report = outcomes.report(outcomes.begin(admission), began, rules);
        return new GuardedFuture<C, T>(engine.surroundings(), context, fallback, report).start(primary);
    }

    /** Where a call goes. While all is well that takes the age of the copy and one look at what is known. */
    Admission admit() {
        return admit(engine.now());
    }

    private Admission admit(long now) {
        return knowledge.isQuiet(now) ? Admission.ROUTED : route(engine.copy().freshen(now));
    }

    private Admission route(long now) {
        Sighting seen = seen();
        boolean passes = seen.route(now) == Route.PRIMARY;
        return passes ? recovering.onceClosed(seen, own.admit(seen, now), now) : recovering.whileOpen(seen, now);
    }

    private <C, T> T reject(Admission admission, C context, Fallback<C, T> fallback) {
        try {
            return fallback.answer(context, new NotAsked(engine, name, admission));
        } catch (Throwable thrown) {
            throw Unchecked.sneaky(thrown);
        }
    }

    /** What this instance knows of the row. */
    Sighting seen() {
        return knowledge.seen();
    }

    long nanosIn(EffectiveState state) {
        return knowledge.nanosIn(state, engine.now());
    }

    /** Takes in the row that a write left. */
    void see(Sighting written) {
        knowledge.see(written);
        afterWrite.accept(written);
        engine.changes().tell();
    }

    /** See {@link Knowledge#review}. */
    void review() {
        knowledge.review();
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
                && outcomes.isIdle()
                && own.isNone();
    }

    /** Has a probe seen to if one is due, without a call. */
    void wakeProbe() {
        long now = engine.now();
        Sighting seen = seen();
        if (seen.route(now) == Route.FALLBACK) {
            recovering.whileOpen(seen, now);
        } else {
            own.wakeProbe(seen, now);
        }
    }

    /** Gives a lease back and asks for no more. */
    void stop() {
        recovering.stop();
        outcomes.stop();
        own.stop();
    }

    /** A breaker for the same that nobody else sees. */
    CircuitBreaker alone(Engine alone) {
        return new CircuitBreaker(name, Definition.of(definition.breaker(), alone), key, written -> {});
    }

    Definition definition() {
        return definition;
    }

    /** What asks the provider. */
    ProbeCall probe(Policy policy) {
        return definition.probe(policy, key);
    }

    Outcomes outcomes() {
        return outcomes;
    }

    /** The policy as last read; read again with each new copy of the store and before each write. */
    Policy policy() {
        return knowledge.policy();
    }

    Policy refreshPolicy() {
        return knowledge.refreshPolicy();
    }
}
