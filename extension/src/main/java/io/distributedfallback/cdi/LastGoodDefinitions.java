package io.distributedfallback.cdi;

import io.distributedfallback.CacheKey;
import io.distributedfallback.LastGood;
import io.distributedfallback.cdi.Declarations.BesideSite;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.cdi.GuardedMethod.End;
import io.distributedfallback.config.Configuration;
import io.distributedfallback.config.RungMembers;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.lastgood.CacheLibrary;
import io.distributedfallback.lastgood.LastGoodResults;
import io.distributedfallback.lastgood.LastGoodResults.Room;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Turns {@code @LastGood} into a rung, or into problems. */
final class LastGoodDefinitions {

    private static final String VALUE = "@LastGood";
    private static final String KEY = "@CacheKey";
    private static final int MOST_ENTRIES = 1_000_000;

    private final Configuration configuration;
    private final Consumer<Problem> problems;
    private final Consumer<Problem> warnings;

    LastGoodDefinitions(Configuration configuration, Consumer<Problem> problems, Consumer<Problem> warnings) {
        this.configuration = configuration;
        this.problems = problems;
        this.warnings = warnings;
    }

    Optional<RungDefinition> define(GuardSite site) {
        Optional<LastGood> annotation = site.beside().lastGood();
        lookAbove(site);
        if (annotation.isEmpty()) {
            if (!site.beside().cacheKeys().isEmpty()) {
                problem(ProblemCode.DFB123, site.where(), KEY, "Put @LastGood on the method, or take the key off");
            }
            return Optional.empty();
        }
        RungMembers members = configuration.members(LastGood.class, site.beanClass(), site.method(), problems);
        Room room = new Room(
                members.count("maxEntries", annotation.get().maxEntries(), 1, MOST_ENTRIES),
                members.duration("maxAge", annotation.get().maxAge()));
        if (!members.isEnabled()) {
            return Optional.empty();
        }
        return canBeKept(site) ? Optional.of(definition(site, room)) : Optional.empty();
    }

    private boolean canBeKept(GuardSite site) {
        ResultType type = ResultType.of(site);
        if (type.isNothing()) {
            if (site.method().isAnnotationPresent(LastGood.class)) {
                problem(
                        ProblemCode.DFB122,
                        site.where(),
                        type.described(),
                        "Take @LastGood off; for work that can wait there is @QueueWhenOpen");
            }
            return false;
        }
        if (type.isForOneReader()) {
            problem(
                    ProblemCode.DFB124,
                    site.where(),
                    type.described(),
                    "Let the method return what was read, such as a List, a String or a byte[]; or take @LastGood off,"
                            + " by LastGood/enabled=false for this method if it stands on the class");
            return false;
        }
        if (!CacheLibrary.isPresent()) {
            problem(
                    ProblemCode.DFB121,
                    site.where(),
                    VALUE,
                    "Add " + CacheLibrary.COORDINATES
                            + " to the application, beside the jar of Distributed Fallback, in WEB-INF/lib say");
            return false;
        }
        return true;
    }

    /** Annotations that somebody wrote where CDI does not see them, and that would be without effect in silence. */
    private void lookAbove(GuardSite site) {
        KeyDefinitions.above(site).forEach(method -> {
            if (site.beside().lastGood().isEmpty() && method.isAnnotationPresent(LastGood.class)) {
                warnAbove(method, VALUE, "CDI inherits no annotation of a method. Put it on " + nameOf(site.method()));
            }
            if (site.beside().cacheKeys().isEmpty()
                    && !AnnotatedMethods.asWritten(method)
                            .marked(CacheKey.class)
                            .isEmpty()) {
                warnAbove(
                        method,
                        KEY,
                        "CDI inherits no annotation of a parameter. Put it on the parameter of "
                                + nameOf(site.method()));
            }
        });
    }

    private void warnAbove(Method method, String value, String remedy) {
        warnings.accept(new Problem(ProblemCode.DFB116, nameOf(method), value, remedy));
    }

    private static RungDefinition definition(GuardSite site, Room room) {
        int[] positions = positions(site);
        End end = End.of(new ResolvedTypes(site.beanClass()).raw(site.method().getGenericReturnType()));
        return parts -> new LastGoodRung(
                new LastGoodResults(
                        room, positions, parts.surroundings().clock(), thrown -> warn(site.where(), thrown)),
                end);
    }

    /** All arguments, or those that are keys. One that chooses the breaker always is: results of tenants never mix. */
    private static int[] positions(GuardSite site) {
        List<Integer> keys = site.beside().cacheKeys();
        return keys.isEmpty()
                ? IntStream.range(0, site.method().getParameterCount()).toArray()
                : Stream.concat(keys.stream(), site.keys().stream())
                        .distinct()
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    private static void warn(String where, Throwable thrown) {
        Problems.warn(new Problem(
                ProblemCode.DFB424,
                where,
                FailureText.of(thrown),
                "For such arguments nothing is kept. Mend their equals and hashCode, or put @CacheKey on others"));
    }

    /** What stands on methods that no annotation guards. */
    void checkUnguarded(Collection<BesideSite> sites, Collection<Guard> guards) {
        Set<Problem> found = new LinkedHashSet<>();
        for (BesideSite site : sites) {
            boolean onMethod = site.method().isAnnotationPresent(LastGood.class);
            if (onMethod || isOnIdleClass(site, guards)) {
                found.add(new Problem(
                        ProblemCode.DFB123,
                        onMethod ? nameOf(site.method()) : site.beanClass().getName(),
                        VALUE,
                        "Put @DistributedFallback beside it, or take it off"));
            } else if (!site.beside().cacheKeys().isEmpty()
                    && guards.stream()
                            .noneMatch(guard -> KeyDefinitions.answersFor(guard, site.beanClass(), site.method()))) {
                found.add(new Problem(
                        ProblemCode.DFB123,
                        nameOf(site.method()),
                        KEY,
                        "Put @DistributedFallback and @LastGood on the method, or take the key off"));
            }
        }
        found.forEach(problems);
    }

    private static boolean isOnIdleClass(BesideSite site, Collection<Guard> guards) {
        return site.beside().lastGood().isPresent()
                && guards.stream().noneMatch(guard -> guard.site().beanClass() == site.beanClass());
    }

    private static String nameOf(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName();
    }

    private void problem(ProblemCode code, String where, String value, String remedy) {
        problems.accept(new Problem(code, where, value, remedy));
    }
}
