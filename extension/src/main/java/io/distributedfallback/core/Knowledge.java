package io.distributedfallback.core;

/**
 * What this instance knows of one breaker: what the copy of the store says, or what a write of its own left, whichever
 * is newer. Kept so that a call on a day on which nothing fails needs one volatile read and the time. Thread-safe.
 */
final class Knowledge {

    private final String name;
    private final Definition definition;
    private final StoreCopy copy;
    private final long freshNanos;
    private final OwnBreaker own;
    private final Outcomes outcomes;
    private volatile View view;
    private volatile Policy policy;
    private final StateTimes times;

    Knowledge(String name, Definition definition, OwnBreaker own, Outcomes outcomes) {
        this.name = name;
        this.definition = definition;
        this.copy = definition.engine().copy();
        this.freshNanos = definition.engine().freshNanos();
        this.own = own;
        this.outcomes = outcomes;
        this.policy = definition.policy();
        Snapshot basis = copy.latest();
        this.view = view(basis, basis.of(name));
        this.times = new StateTimes(view.sighting, definition.engine().now());
    }

    /**
     * All that a call looks at.
     *
     * @param basis the copy that has been taken in
     * @param isQuiet whether there is nothing to say: a call goes to the primary, and its success changes nothing
     * @param freshUntilNanos until when no newer copy can be there
     */
    private record View(Snapshot basis, Sighting sighting, boolean isQuiet, long freshUntilNanos) {}

    private View view(Snapshot basis, Sighting sighting) {
        boolean isQuiet = !sighting.row().matters() && own.isNone() && outcomes.isQuiet();
        return new View(basis, sighting, isQuiet, basis.freshUntil(freshNanos));
    }

    /** Whether a call goes to the primary with nothing more to be looked at. */
    boolean isQuiet(long now) {
        View known = view;
        return known.isQuiet && known.freshUntilNanos - now > 0;
    }

    /** Whether a success has nothing to change. */
    boolean isQuiet() {
        return current().isQuiet;
    }

    /** The row. A copy that is newer than the last look is taken in first. */
    Sighting seen() {
        return current().sighting;
    }

    private View current() {
        View last = view;
        Snapshot latest = copy.latest();
        return last.basis == latest ? last : rebase(latest);
    }

    private synchronized View rebase(Snapshot latest) {
        policy = definition.policy();
        Sighting read = latest.of(name);
        Sighting best = read.supersedes(view.sighting) ? read : view.sighting;
        view = view(latest, best);
        look(best);
        return view;
    }

    /** Takes in the row that a write left. */
    synchronized void see(Sighting written) {
        if (written.supersedes(view.sighting)) {
            view = view(view.basis, written);
            look(written);
        }
    }

    /** What waits to be written, or the instance's own evidence, is there or is gone. */
    synchronized void review() {
        view = view(view.basis, view.sighting);
    }

    private void look(Sighting best) {
        times.see(best, definition.engine().now());
        definition.thresholds().look(best.row(), policy);
        if (best.row().isOpen()) {
            own.forget();
        }
    }

    long nanosIn(EffectiveState state, long now) {
        Sighting unused = seen();
        return times.nanosIn(state, now);
    }

    /** The policy as last read; read again with each new copy of the store and before each write. */
    Policy policy() {
        return policy;
    }

    Policy refreshPolicy() {
        policy = definition.policy();
        return policy;
    }
}
