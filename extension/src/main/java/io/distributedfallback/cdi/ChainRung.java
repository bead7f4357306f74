package io.distributedfallback.cdi;

import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.core.KeyedName;
import io.distributedfallback.core.ProviderChain;
import io.distributedfallback.core.ProviderChain.Link;
import jakarta.interceptor.InvocationContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
            case RETURN -> ProviderChain.of(links(below, Function.identity()))::answer;
            case STAGE ->
                ProviderChain.ofStages(
                        links(later(below), GuardedMethod::stage),
                        parts.surroundings().background())::answer;
            case FUTURE ->
                ProviderChain.ofFutures(links(later(below), GuardedMethod::future), parts.surroundings())::answer;
        };
    }

    private <T> List<Link<InvocationContext, T>> links(BoundFallback last, Function<Object, T> answer) {
        return Stream.concat(
                        providers.stream().map(provider -> link(provider, answer)),
                        Stream.of(new Link<>(answering(last, answer), Optional.empty(), failure -> false)))
                .toList();
    }

    private <T> Link<InvocationContext, T> link(Provider provider, Function<Object, T> answer) {
        GuardDefinition own = provider.definition();
        FailureRules rules = new FailureRules(
                own.breaker(),
                own.failOn(),
                own.skipOn(),
                parts.classifiers(),
                parts.surroundings().listener());
        BoundFallback backup = end == End.RETURN ? provider.backup() : later(provider.backup());
        return new Link<>(answering(backup, answer), Optional.of(rules), provider::isRefusal);
    }

    private static <T> Fallback<InvocationContext, T> answering(BoundFallback backup, Function<Object, T> answer) {
        return (call, failure) -> answer.apply(backup.answer(call, failure));
    }

    /** The first is asked where the call is made, the others may be where there is no request. */
    private BoundFallback later(BoundFallback backup) {
        return new RequestFallback(backup, parts.beans());
    }
}
