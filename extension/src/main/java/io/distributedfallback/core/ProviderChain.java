package io.distributedfallback.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Providers that answer instead of a primary, one after the other. Each but the last stands behind a guard of its own,
 * which counts its failures and refuses without a try while its breaker is open.
 *
 * <ol>
 *   <li>A provider is asked. Its answer is that of the chain.
 *   <li>Its guard refuses, or it fails in a way that uses the fallback by the rules of its guard: the next one is asked.
 *   <li>It fails in another way, or it is the last: its failure is that of the chain, with those of the providers before
 *       it suppressed, in their order. If the primary was asked and failed, they are suppressed in its failure, which
 *       is what the caller gets then.
 * </ol>
 *
 * <p>Thread-safe if the providers are.
 */
public final class ProviderChain {

    private ProviderChain() {}

    /**
     * One provider.
     *
     * @param provider the provider, behind its guard
     * @param rules how its guard judges failures; empty for the last one, behind which there is nobody
     * @param isRefusal whether a failure is the word of its guard that the provider is not asked
     * @param <C> what it needs
     * @param <T> the type of the answer
     */
    public record Link<C, T>(
            Fallback<C, T> provider, Optional<FailureRules> rules, Predicate<? super Throwable> isRefusal) {

        private boolean passesOn(Throwable thrown) {
            return rules.isPresent()
                    && !Causes.carriesError(thrown)
                    && (isRefusal.test(Causes.unwrap(thrown))
                            || rules.get().classify(thrown).kind().usesFallback());
        }
    }

    /** Providers that are done when they return. */
    public static <C, T> Fallback<C, T> of(List<Link<C, T>> links) {
        return (context, failure) -> answer(List.copyOf(links), context, new Trail(failure));
    }

    private static <C, T> T answer(List<Link<C, T>> links, C context, Trail trail) throws Throwable {
        try {
            return links.get(0).provider().answer(context, trail.failure);
        } catch (Throwable thrown) {
            if (!trail.goesOn(links.get(0), thrown, thrown)) {
                throw thrown;
            }
        }
        return answer(rest(links), context, trail);
    }

    /** Providers whose outcome is that of a stage. Each after the first is asked on a managed thread, for the caller. */
    public static <C, T> Fallback<C, CompletionStage<T>> ofStages(
            List<Link<C, CompletionStage<T>>> links, Background background) {
        return (context, failure) -> stage(links, context, new Trail(failure), background);
    }

    private static <C, T> CompletionStage<T> stage(
            List<Link<C, CompletionStage<T>>> links, C context, Trail trail, Background background) {
        Link<C, CompletionStage<T>> link = links.get(0);
        return new StageCall<C, T>(
                        background,
                        context,
                        (same, failure) -> stage(rest(links), same, trail, background),
                        new OfLink(link, trail, StageOutcome::causeOf))
                .start(same -> Unchecked.call(() -> link.provider().answer(same, trail.failure)));
    }

    /** Providers whose outcome is that of a future: it is found out, and the next one asked, by who asks the future. */
    public static <C, T> Fallback<C, Future<T>> ofFutures(List<Link<C, Future<T>>> links, Surroundings surroundings) {
        return (context, failure) -> future(links, context, new Trail(failure), surroundings);
    }

    private static <C, T> Future<T> future(
            List<Link<C, Future<T>>> links, C context, Trail trail, Surroundings surroundings) {
        Link<C, Future<T>> link = links.get(0);
        return new GuardedFuture<C, T>(
                        surroundings,
                        context,
                        (same, failure) -> future(rest(links), same, trail, surroundings),
                        new OfLink(link, trail, GuardedFuture::causeOf))
                .start(same -> Unchecked.call(() -> link.provider().answer(same, trail.failure)));
    }

    private static <L> List<L> rest(List<L> links) {
        return links.subList(1, links.size());
    }

    /** What has failed in one call. Its providers come one after the other, whatever their threads are. */
    private static final class Trail {

        private final Supplier<? extends Throwable> failure;
        private final List<Throwable> failures = new ArrayList<>(2);

        Trail(Supplier<? extends Throwable> failure) {
            this.failure = failure;
        }

        /**
         * Whether the next provider is asked.
         *
         * @param failed what the caller gets to see of it
         */
        boolean goesOn(Link<?, ?> link, Throwable thrown, Throwable failed) {
            if (link.passesOn(thrown)) {
                Causes.keepInterrupt(thrown);
                failures.add(failed);
                return true;
            }
            Throwable outcome = failure instanceof NotAsked ? failed : failure.get();
            failures.forEach(earlier -> Causes.suppress(earlier, outcome));
            return false;
        }
    }

    /**
     * Hears how a provider fared that answers with a stage or a future. Its own guard has counted it.
     *
     * @param cause takes off what a stage or a future puts around a failure
     */
    private record OfLink(Link<?, ?> link, Trail trail, UnaryOperator<Throwable> cause) implements Report {

        @Override
        public Recorded failed(Throwable thrown) {
            return new Recorded(trail.goesOn(link, thrown, cause.apply(thrown)), Written.NOTHING);
        }

        /** The trail has both. */
        @Override
        public Throwable outcomeOf(Throwable first, Throwable second) {
            return second;
        }

        @Override
        public <C, T> Fallback<C, T> watched(Fallback<C, T> fallback) {
            return fallback;
        }
    }
}
