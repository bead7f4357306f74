package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.config.Configuration;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.eclipse.microprofile.faulttolerance.Fallback;

/** Turns the annotations of guarded methods into definitions that work, or into problems that say why they cannot. */
final class GuardDefinitions {

    private final Configuration configuration;
    private final Fallbacks fallbacks;
    private final Chains chains;
    private final RungDefinitions rungs;
    private final Consumer<Problem> problems;
    private final Consumer<Problem> warnings;

    GuardDefinitions(
            Configuration configuration,
            BeanManager beans,
            LimitDefinitions limits,
            Consumer<Problem> problems,
            Consumer<Problem> warnings) {
        this.configuration = configuration;
        this.fallbacks = new Fallbacks(beans, problems, warnings);
        this.chains = new Chains(problems);
        QueueDefinitions queues = new QueueDefinitions(configuration, problems);
        LastGoodDefinitions lastGood = new LastGoodDefinitions(configuration, problems, warnings);
        this.rungs = new RungDefinitions(List.of(
                queues::define, place -> limits.define(place, problems), place -> lastGood.define(place.site())));
        this.problems = problems;
        this.warnings = warnings;
    }

    /**
     * A guarded method.
     *
     * @param definition what holds for it
     * @param answering what answers instead
     * @param rungs what is before that, the lowest first
     */
    record Guard(GuardSite site, GuardDefinition definition, Answering answering, List<RungDefinition> rungs) {

        /** What answers if nothing before it does. */
        BoundFallback fallback() {
            return answering.last();
        }
    }

    /** @param before guards that are known already */
    List<Guard> define(Collection<GuardSite> sites, Collection<Guard> before) {
        Map<GuardSite, GuardDefinition> definitions = new LinkedHashMap<>();
        Map<Class<?>, Set<String>> answering = new HashMap<>();
        for (GuardSite site : sites) {
            GuardDefinition definition = definitionOf(site);
            definitions.put(site, definition);
            if (definition.fallbackMethod().isPresent()) {
                answering
                        .computeIfAbsent(site.beanClass(), bean -> new HashSet<>())
                        .add(definition.fallbackMethod().get());
            }
        }
        List<Guard> guards = new ArrayList<>();
        Map<String, Set<String>> unguarded = new TreeMap<>();
        definitions.forEach((site, definition) -> {
            if (!answersForAnother(site, answering)) {
                checkPlace(site);
                fallbacks
                        .find(site, definition)
                        .ifPresentOrElse(
                                found -> {
                                    Guard guard =
                                            new Guard(site, definition, found, rungsOf(site, definition, found.last()));
                                    guards.add(guard);
                                    checkTransaction(guard);
                                },
                                () -> unguarded
                                        .computeIfAbsent(site.place(), place -> new TreeSet<>())
                                        .add(site.method().getName()));
            }
        });
        unguarded.forEach((place, methods) -> warnings.accept(new Problem(
                ProblemCode.DFB115,
                place,
                String.join(", ", methods),
                "They go straight to the primary. Declare them in a type that the backup has as well, or annotate"
                        + " methods instead of the class")));
        return chains.complete(guards, before);
    }

    private List<RungDefinition> rungsOf(GuardSite site, GuardDefinition definition, BoundFallback fallback) {
        return rungs.define(new RungDefinitions.Place(site, definition, fallback != BoundFallback.NONE));
    }

    /** An interceptor that answers there commits what was done before the failure. */
    private void checkTransaction(Guard guard) {
        GuardSite site = guard.site();
        boolean answers =
                guard.fallback() != BoundFallback.NONE || !guard.rungs().isEmpty();
        if (answers && EnterpriseBeans.haveTransaction(site.beanClass(), site.method())) {
            warnings.accept(new Problem(
                    ProblemCode.DFB117,
                    site.where(),
                    site.beanClass().getName(),
                    "What it wrote before a failure is committed. If it writes, annotate it with"
                            + " @TransactionAttribute(NOT_SUPPORTED), or guard a bean that calls it"));
        }
    }

    private GuardDefinition definitionOf(GuardSite site) {
        DistributedFallback annotation = site.annotation();
        return site.onClass().isPresent()
                ? configuration.guard(annotation, site.onClass().get(), site.method(), problems)
                : configuration.guard(annotation, site.method(), problems);
    }

    /** A method that is a fallback is not guarded by an annotation on its class: it must answer while that is open. */
    private static boolean answersForAnother(GuardSite site, Map<Class<?>, Set<String>> answering) {
        return site.onClass().isPresent()
                && answering
                        .getOrDefault(site.beanClass(), Set.of())
                        .contains(site.method().getName());
    }

    private void checkPlace(GuardSite site) {
        Method method = site.method();
        int modifiers = method.getModifiers();
        if (FinalPlaces.isFinal(site.beanClass())) {
            String remedy = "Make the class not final, or use Breakers.get(name).call(...)";
            problems.accept(new Problem(ProblemCode.DFB104, site.place(), "final class", remedy));
        } else if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
            problem(
                    ProblemCode.DFB104,
                    site,
                    Modifier.toString(modifiers),
                    "Make it neither private nor static nor final, or use Breakers.get(name).call(...)");
        }
        if (method.isAnnotationPresent(Fallback.class)) {
            problem(
                    ProblemCode.DFB105,
                    site,
                    "@Fallback",
                    "Remove it, and give @DistributedFallback the fallbackMethod or the handler (value) instead");
        }
    }

    private void problem(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(new Problem(code, site.where(), value, remedy));
    }
}
