package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.Declarations.KeySite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.core.KeyedName;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the parameters that are keys of breakers. */
final class KeyDefinitions {

    private static final String VALUE = "@BreakerKey";

    private final String prefix;
    private final Consumer<Problem> problems;
    private final Consumer<Problem> warnings;

    /** @param prefix goes before the names of breakers in the store */
    KeyDefinitions(String prefix, Consumer<Problem> problems, Consumer<Problem> warnings) {
        this.prefix = prefix;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** The breakers that have keys. */
    static Set<String> keyed(Collection<Guard> guards) {
        return guards.stream()
                .filter(guard -> !guard.site().keys().isEmpty())
                .map(guard -> guard.definition().breaker())
                .collect(Collectors.toSet());
    }

    void check(Collection<Guard> guards) {
        for (Guard guard : guards) {
            GuardSite site = guard.site();
            if (site.keys().isEmpty()) {
                lookAbove(site);
            } else {
                checkPlace(site);
                KeyedName.problemWith(guard.definition().breaker(), prefix, site.where())
                        .ifPresent(problems);
            }
        }
    }

    private void checkPlace(GuardSite site) {
        if (site.keys().size() > 1) {
            problems.accept(new Problem(
                    ProblemCode.DFB118,
                    site.where(),
                    VALUE + " on " + site.keys().size() + " parameters",
                    "Annotate one, or let it be an object whose toString is all of the key"));
        } else if (site.method().getParameterTypes()[site.keys().get(0)].isArray()) {
            problems.accept(new Problem(
                    ProblemCode.DFB118,
                    site.where(),
                    VALUE + " on an array",
                    "An array has no text of its own. Let the key be a String, a number, a constant or the like"));
        }
    }

    /**
     * Keys of methods that no annotation guards. A probe is given its key, and what answers for a guarded method has the
     * parameters of that.
     */
    void checkUnguarded(Collection<KeySite> sites, Collection<Guard> guards) {
        for (KeySite site : sites) {
            if (guards.stream().noneMatch(guard -> answersFor(guard, site.beanClass(), site.method()))) {
                problems.accept(new Problem(
                        ProblemCode.DFB119,
                        site.method().getDeclaringClass().getName() + "."
                                + site.method().getName(),
                        VALUE,
                        "Put @DistributedFallback on the method or on its class, or take the key off"));
            }
        }
    }

    /** Whether a method may be what answers for a guarded one, whose parameters it repeats with all that they carry. */
    static boolean answersFor(Guard guard, Class<?> beanClass, Method method) {
        return guard.fallback() instanceof BackupFallback backup
                ? backup.bean().bean().getBeanClass() == beanClass
                : guard.site().beanClass() == beanClass
                        && guard.definition()
                                .fallbackMethod()
                                .filter(method.getName()::equals)
                                .isPresent();
    }

    /** A key that somebody wrote where CDI does not see it would put all tenants behind one breaker, in silence. */
    private void lookAbove(GuardSite site) {
        above(site)
                .filter(method -> !AnnotatedMethods.keysOf(method).isEmpty())
                .forEach(method -> warnings.accept(new Problem(
                        ProblemCode.DFB116,
                        method.getDeclaringClass().getName() + "." + method.getName(),
                        VALUE,
                        "CDI inherits no annotation of a parameter. Put it on the parameter of "
                                + site.method().getDeclaringClass().getName() + "."
                                + site.method().getName())));
    }

    /** The methods that a guarded one overrides or implements, and whose annotations CDI does not see. */
    static Stream<Method> above(GuardSite site) {
        Class<?> type = site.beanClass();
        if (type.getSuperclass() == Object.class && type.getInterfaces().length == 0) {
            return Stream.empty();
        }
        ResolvedTypes types = new ResolvedTypes(type);
        return ancestors(type)
                .flatMap(KeyDefinitions::methodsOf)
                .filter(method -> !method.equals(site.method()))
                .filter(method -> method.getName().equals(site.method().getName())
                        && method.getParameterCount() == site.method().getParameterCount()
                        && types.hasSameParameters(site.method(), method));
    }

    private static Stream<Class<?>> ancestors(Class<?> type) {
        Set<Class<?>> found = new LinkedHashSet<>();
        addAncestors(type, found);
        return found.stream().filter(ancestor -> !ancestor.getName().startsWith("java."));
    }

    private static void addAncestors(Class<?> type, Set<Class<?>> found) {
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .filter(found::add)
                .forEach(ancestor -> addAncestors(ancestor, found));
    }

    private static Stream<Method> methodsOf(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredMethods()).filter(method -> !method.isBridge());
        } catch (LinkageError e) {
            // Of a library that names classes which are not there; whoever annotates has his own.
            return Stream.empty();
        }
    }
}
