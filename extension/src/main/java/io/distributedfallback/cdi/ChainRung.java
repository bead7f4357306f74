package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.KeyedName;
import io.distributedfallback.core.ProviderChain;
import io.distributedfallback.core.ProviderChain.Link;
import jakarta.interceptor.InvocationContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Backups that are asked one after the other before the last one, which is what is below.
 *
 * @param providers the backups, in their order
 * @param end when the outcome of the method is known
 */
record ChainRung(List<Provider> providers, End end, RungParts parts) implements Rung {

    ChainRung {
        providers = List.copyOf(providers);
    }

    /** @param definition of its own guard */
    record Provider(BackupFallback backup, GuardDefinition definition) {

        /** Its own breaker refused. Where {@code failOn} and {@code skipOn} speak of failures, that is none. */
        boolean isRefusal(Throwable failure) {
            return failure instanceof BreakerOpenException open
                    && KeyedName.baseOf(open.breaker()).equals(definition.breaker());
        }
    }

    @Override
    public BoundFallback over(BoundFallback below) {
        return switch (end) {
            case RETURN -> ProviderChain.of(this.<Object>links(below))::answer;
            case STAGE ->
                ProviderChain.ofStages(
                        this.<CompletionStage<Object>>links(below),
                        parts.surroundings().background())::answer;
            case FUTURE -> ProviderChain.ofFutures(this.<Future<Object>>links(below), parts.surroundings())::answer;
        };
    }

    private <T> List<Link<InvocationContext, T>> links(BoundFallback last) {
        return Stream.concat(
                        providers.stream().map(this::<T>link),
                        Stream.of(new Link<>(this.<T>asked(last), Optional.empty(), failure -> false)))
                .toList();
    }

    private <T> Link<InvocationContext, T> link(Provider provider) {
        return new Link<>(
                asked(provider.backup()), Optional.of(parts.rulesOf(provider.definition())), provider::isRefusal);
    }

    /** Where the call is made, if the outcome is known when a provider returns; else maybe where there is no request. */
    private <T> Fallback<InvocationContext, T> asked(BoundFallback backup) {
        return GuardedMethod.returning(end == End.RETURN ? backup : new RequestFallback(backup, parts.beans()));
    }
}
