package io.distributedfallback.cdi;

import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.Fallback;
import io.distributedfallback.limit.LimitSettings;
import io.distributedfallback.limit.LimitedMethod;
import jakarta.interceptor.InvocationContext;

/** The rung that caps the calls of the fallback below it. */
final class LimitRung {

    private LimitRung() {}

    static RungDefinition of(RungDefinitions.Place place, LimitSettings settings) {
        return parts -> below -> over(below, settings, methodOf(place, parts), parts);
    }

    private static BoundFallback over(
            BoundFallback below, LimitSettings settings, LimitedMethod method, RungParts parts) {
        Fallback<InvocationContext, Object> limited = parts.limits().over(below, settings, method);
        return limited::answer;
    }

    private static LimitedMethod methodOf(RungDefinitions.Place place, RungParts parts) {
        GuardDefinition definition = place.definition();
        String breaker = definition.breaker();
        return new LimitedMethod(
                breaker,
                parts.rulesOf(definition),
                () -> parts.policies().apply(breaker),
                GuardedMethods.endOf(place.site()) != End.RETURN);
    }
}
