package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.config.GuardDefinition.Mode;
import io.distributedfallback.core.CircuitBreakers;
import io.distributedfallback.core.Problem;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * Makes what each guarded method does of what has been found out about it.
 *
 * @param breakers guard the calls
 * @param parts what rungs are made of
 */
record GuardedMethods(CircuitBreakers breakers, RungParts parts) {

    /**
     * The guarded methods, by bean.
     *
     * @param guards those known at the start
     * @param late defines those of a bean that comes into being later
     */
    GuardedBeans of(List<Guard> guards, BiFunction<GuardSite, Consumer<Problem>, List<Guard>> late) {
        Map<Class<?>, Map<Method, GuardedMethod>> methods = new HashMap<>();
        for (Guard guard : guards) {
            // A class whose guards are all switched off has an entry as well, or that of its superclass would hold.
            Map<Method, GuardedMethod> ofBean =
                    methods.computeIfAbsent(guard.site().beanClass(), type -> new HashMap<>());
            guarded(guard).ifPresent(guarded -> ofBean.put(guard.site().method(), guarded));
        }
        return new GuardedBeans(
                methods,
                (site, problems) -> late.apply(site, problems).stream()
                        .flatMap(guard -> guarded(guard).stream())
                        .findFirst());
    }

    /** Empty if the configuration switches the guard off. */
    private Optional<GuardedMethod> guarded(Guard guard) {
        String name = guard.definition().breaker();
        Mode mode = guard.definition().mode();
        if (mode == Mode.DISABLED) {
            return Optional.empty();
        }
        End end = endOf(guard.site());
        List<Integer> keys = guard.site().keys();
        BoundPrimary primary = BoundPrimary.PLAIN;
        BoundFallback fallback = guard.fallback();
        for (RungDefinition definition : guard.rungs()) {
            Rung rung = definition.make(parts);
            primary = rung.over(primary);
            fallback = rung.over(fallback);
        }
        return Optional.of(new GuardedMethod(
                mode == Mode.GUARDED ? breakers.get(name) : breakers.withoutBreaker(name),
                mode == Mode.GUARDED && !keys.isEmpty() ? new KeyedGuard(breakers.keysOf(name), keys.get(0)) : null,
                parts.rulesOf(guard.definition()),
                primary,
                end == End.RETURN ? fallback : new RequestFallback(fallback, parts.beans()),
                end));
    }

    static End endOf(GuardSite site) {
        return End.of(new ResolvedTypes(site.beanClass()).raw(site.method().getGenericReturnType()));
    }
}
