package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks where backups lead to, one by one and in chains. Each but the last of a chain must be guarded by a breaker of its
 * own: without one it would be tried again by each call while it is down, and nothing would say whether the next one
 * is to be asked after it has failed.
 */
final class Chains {

    private final Consumer<Problem> problems;

    Chains(Consumer<Problem> problems) {
        this.problems = problems;
    }

    /**
     * The same guards, with a rung for each chain.
     *
     * @param before guards that are known already, to which backups may lead
     */
    List<Guard> complete(List<Guard> guards, Collection<Guard> before) {
        List<Guard> known =
                Stream.concat(before.stream(), guards.stream()).distinct().toList();
        List<Guard> complete = new ArrayList<>(guards.size());
        for (Guard guard : guards) {
            checkCircle(guard, known);
            complete.add(guard.answering().before().isEmpty() ? guard : withChain(guard, known));
        }
        return complete;
    }

    private Guard withChain(Guard guard, Collection<Guard> known) {
        checkBreakers(guard, known);
        List<ChainRung.Provider> providers = new ArrayList<>();
        for (BackupFallback backup : guard.answering().before()) {
            Optional<Guard> own = guardOf(backup, known);
            if (own.isEmpty()) {
                problem(
                        ProblemCode.DFB135,
                        guard.site(),
                        backup,
                        "Put @DistributedFallback(breaker = \"...\") on it or on its method, with a name that no other of the chain"
                                + " has; or name it last, as the last resort");
            } else {
                checkAnswersForItself(guard.site(), backup, own.get());
                providers.add(new ChainRung.Provider(backup, own.get().definition()));
            }
        }
        End end = GuardedMethods.endOf(guard.site());
        List<RungDefinition> rungs = new ArrayList<>();
        rungs.add(parts -> new ChainRung(providers, end, parts));
        rungs.addAll(guard.rungs());
        return new Guard(guard.site(), guard.definition(), guard.answering(), rungs);
    }

    /** One that has a breaker in common with another is away whenever that is. */
    private void checkBreakers(Guard guard, Collection<Guard> known) {
        Set<String> breakers = new HashSet<>(Set.of(guard.definition().breaker()));
        for (BackupFallback backup : guard.answering().backups()) {
            Optional<String> breaker =
                    guardOf(backup, known).map(own -> own.definition().breaker());
            if (breaker.isPresent() && !breakers.add(breaker.get())) {
                problem(
                        ProblemCode.DFB136,
                        guard.site(),
                        backup,
                        "Its breaker is \"" + breaker.get()
                                + "\", as that of one before it. Give it a breaker of its own");
            }
        }
    }

    /** What answers instead of it would keep the call from those after it. */
    private void checkAnswersForItself(GuardSite site, BackupFallback backup, Guard own) {
        if (!own.answering().isNone() || !own.rungs().isEmpty()) {
            problem(
                    ProblemCode.DFB137,
                    site,
                    backup,
                    "Take off what answers instead of " + own.site().where()
                            + ", or name it last: in a chain the next one answers for it");
        }
    }

    /** Beans that back each other would ask each other for ever once all are down. */
    private void checkCircle(Guard start, Collection<Guard> known) {
        List<Guard> way = wayBack(start, start, known, new HashSet<>());
        if (!way.isEmpty()) {
            String names = way.stream()
                    .map(guard -> guard.site().beanClass().getName())
                    .collect(Collectors.joining(" -> "));
            problems.accept(new Problem(
                    ProblemCode.DFB113,
                    start.site().where(),
                    names + " -> " + start.site().beanClass().getName(),
                    "Let the last of them have no backup"));
        }
    }

    /** The guards that are passed from one on before another is asked again; none if it never is. */
    private static List<Guard> wayBack(Guard from, Guard start, Collection<Guard> known, Set<Guard> seen) {
        for (BackupFallback backup : from.answering().backups()) {
            Optional<Guard> next = guardOf(backup, known);
            if (next.isPresent() && seen.add(next.get())) {
                List<Guard> way = next.get().equals(start) ? List.of() : wayBack(next.get(), start, known, seen);
                if (!way.isEmpty() || next.get().equals(start)) {
                    return Stream.concat(Stream.of(from), way.stream()).toList();
                }
            }
        }
        return List.of();
    }

    private static Optional<Guard> guardOf(BackupFallback backup, Collection<Guard> known) {
        return known.stream()
                .filter(guard -> isOf(guard.site(), backup))
                .filter(guard -> isSame(guard.site(), backup.method()))
                .findFirst();
    }

    private static boolean isOf(GuardSite site, BackupFallback backup) {
        return site.bean().isPresent() ? site.isOf(backup.bean().bean()) : site.beanClass() == backup.type();
    }

    private static boolean isSame(GuardSite site, Method method) {
        return site.method().getName().equals(method.getName())
                && site.method().getParameterCount() == method.getParameterCount()
                && new ResolvedTypes(site.beanClass()).hasSameParameters(site.method(), method);
    }

    private void problem(ProblemCode code, GuardSite site, BackupFallback backup, String remedy) {
        problems.accept(
                new Problem(code, site.place(), "backup = " + backup.type().getName(), remedy));
    }
}
