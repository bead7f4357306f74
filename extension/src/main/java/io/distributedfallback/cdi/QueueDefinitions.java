package io.distributedfallback.cdi;

import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.QueueWhenOpen;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.Declarations.KeySite;
import io.distributedfallback.config.Configuration;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.config.GuardDefinition.Mode;
import io.distributedfallback.config.RungMembers;
import io.distributedfallback.config.StoreKind;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.queue.QueueName;
import io.distributedfallback.queue.QueueRules;
import jakarta.enterprise.inject.spi.Bean;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Turns {@code @QueueWhenOpen} into a rung, or into problems that say why calls of the method cannot be stored. */
final class QueueDefinitions {

    private static final String ANNOTATION = "@" + QueueWhenOpen.class.getSimpleName();
    private static final int MOST_ATTEMPTS = 1000;
    private static final int HIGHEST_RATE = 10_000;

    private final Configuration configuration;
    private final Consumer<Problem> problems;

    QueueDefinitions(Configuration configuration, Consumer<Problem> problems) {
        this.configuration = configuration;
        this.problems = problems;
    }

    /** Empty if the method has no queue, the configuration switches it off, or something is wrong, which has been told. */
    Optional<RungDefinition> define(RungDefinitions.Place place) {
        GuardSite site = place.site();
        GuardDefinition guard = place.definition();
        if (site.beside().queue().isEmpty()) {
            if (!site.beside().queueKeys().isEmpty()) {
                problem(
                        ProblemCode.DFB134,
                        site,
                        "@QueueKey",
                        "Put " + ANNOTATION + " on the method, or take the key off");
            }
            return Optional.empty();
        }
        RungMembers members = configuration.members(QueueWhenOpen.class, site.beanClass(), site.method(), problems);
        if (!members.isEnabled() || guard.mode() == Mode.DISABLED) {
            return Optional.empty();
        }
        List<Problem> found = new ArrayList<>();
        checkSurroundings(site, guard, found::add);
        checkType(site, found::add);
        List<Type> parameters = parametersOf(site, found::add);
        QueueRules rules = rulesOf(site, members, found::add);
        Optional<Type> beanType = beanTypeOf(site, found::add);
        found.forEach(problems);
        return found.isEmpty()
                ? Optional.of(rung(site, guard, rules, parameters, beanType.orElseThrow()))
                : Optional.empty();
    }

    /** Methods that somebody meant to queue, and that nothing guards, would go on failing in silence. */
    static void checkUnguarded(Collection<KeySite> sites, Consumer<Problem> problems) {
        for (KeySite site : sites) {
            problems.accept(new Problem(
                    ProblemCode.DFB134,
                    site.method().getDeclaringClass().getName() + "."
                            + site.method().getName(),
                    ANNOTATION,
                    "Put @DistributedFallback on the method or on its class as well"));
        }
    }

    private RungDefinition rung(
            GuardSite site, GuardDefinition guard, QueueRules rules, List<Type> parameters, Type beanType) {
        int maxBytes = configuration.queue(known -> {}).maxArgumentBytes();
        boolean byStage = site.method().getReturnType() != void.class;
        return parts -> {
            JsonArguments json = JsonArguments.of(parameters);
            BeanCalls maker = new BeanCalls(
                    site.bean().orElseThrow(), site.method(), beanType, json, parts.beans(), parts.rulesOf(guard));
            return new QueueRung(
                    parts.queues().orElseThrow().add(nameOf(site, guard), rules, maker),
                    json,
                    site.beside().queueKeys(),
                    maxBytes,
                    byStage);
        };
    }

    static QueueName nameOf(GuardSite site, GuardDefinition guard) {
        ResolvedTypes types = new ResolvedTypes(site.beanClass());
        String parameters = Arrays.stream(site.method().getGenericParameterTypes())
                .map(types::raw)
                .map(Class::getTypeName)
                .collect(Collectors.joining(","));
        return new QueueName(
                guard.breaker(),
                site.beanClass().getName() + "#" + site.method().getName() + "(" + parameters + ")");
    }

    private void checkSurroundings(GuardSite site, GuardDefinition guard, Consumer<Problem> found) {
        if (configuration.settings(known -> {}).store().kind() == StoreKind.MEMORY) {
            found.accept(of(
                    ProblemCode.DFB130,
                    site,
                    "distributed-fallback.store=memory",
                    "Let the store be jpa, or take " + ANNOTATION + " off"));
        }
        List<String> others = new ArrayList<>();
        guard.fallbackMethod().ifPresent(name -> others.add("fallbackMethod = " + name));
        guard.handler().ifPresent(type -> others.add("value = " + type.getName()));
        guard.backup().forEach(type -> others.add("backup = " + type.getName()));
        for (Class<? extends Annotation> other : List.of(LastGood.class, FallbackLimit.class)) {
            if (site.method().isAnnotationPresent(other)) {
                others.add("@" + other.getSimpleName());
            }
        }
        if (!others.isEmpty()) {
            found.accept(of(
                    ProblemCode.DFB131,
                    site,
                    String.join(", ", others),
                    "A call is either answered by something else or stored. Keep one of them"));
        }
        if (!site.keys().isEmpty()) {
            found.accept(of(
                    ProblemCode.DFB134,
                    site,
                    "@BreakerKey",
                    "Stored calls that the breaker of one key keeps away would stand in the way of all others. Give each"
                            + " provider a method and a breaker of its own, or take the key off"));
        }
        if (!JsonBinding.isPresent(getClass().getClassLoader())) {
            found.accept(of(
                    ProblemCode.DFB133,
                    site,
                    ANNOTATION,
                    "Add JSON-B to the server, on Open Liberty the feature jsonb-3.0"));
        }
    }

    private void checkType(GuardSite site, Consumer<Problem> found) {
        ResolvedTypes types = new ResolvedTypes(site.beanClass());
        Type type = types.resolve(site.method().getGenericReturnType());
        boolean isStage = type instanceof ParameterizedType stage
                && (stage.getRawType() == CompletionStage.class || stage.getRawType() == CompletableFuture.class)
                && stage.getActualTypeArguments()[0] == Void.class;
        if (type != void.class && !isStage) {
            found.accept(of(
                    ProblemCode.DFB132,
                    site,
                    type.getTypeName(),
                    "Who waits for an answer cannot be told to come later. Return void or CompletionStage<Void>"));
        }
    }

    private List<Type> parametersOf(GuardSite site, Consumer<Problem> found) {
        Method method = site.method();
        ResolvedTypes types = new ResolvedTypes(site.beanClass());
        List<Type> parameters = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            String name =
                    method.getParameters()[i].getName() + " (" + (i + 1) + " of " + method.getParameterCount() + ")";
            Type type = types.resolve(method.getGenericParameterTypes()[i]);
            parameters.add(type);
            StorableTypes.flaw(type)
                    .ifPresent(flaw -> found.accept(of(
                            ProblemCode.DFB129,
                            site,
                            name + ": " + flaw,
                            "Let the method take what it needs as plain values, a record or a bean with get and set, or as"
                                    + " collections of these; or the id of what is stored elsewhere")));
            if (site.beside().queueKeys().contains(i) && !StorableTypes.isText(type)) {
                found.accept(of(
                        ProblemCode.DFB129,
                        site,
                        name + ": @QueueKey on " + type.getTypeName(),
                        "Let the key be a text, a number, a constant, a UUID, or a date or time"));
            }
        }
        return parameters;
    }

    private QueueRules rulesOf(GuardSite site, RungMembers members, Consumer<Problem> found) {
        QueueWhenOpen annotation = site.beside().queue().orElseThrow();
        QueueRules rules = new QueueRules(
                members.count("maxAttempts", annotation.maxAttempts(), 1, MOST_ATTEMPTS),
                members.duration("backoff", annotation.backoff()),
                members.duration("maxBackoff", annotation.maxBackoff()),
                members.duration("maxAge", annotation.maxAge()),
                members.count("rate", annotation.rate(), 1, HIGHEST_RATE));
        if (rules.maxBackoff().compareTo(rules.backoff()) < 0) {
            found.accept(of(
                    ProblemCode.DFB214,
                    site,
                    "backoff=" + rules.backoff() + ", maxBackoff=" + rules.maxBackoff(),
                    "Make maxBackoff as long as backoff or longer, such as 1s and 5m"));
        }
        return rules;
    }

    private static Optional<Type> beanTypeOf(GuardSite site, Consumer<Problem> found) {
        Optional<Bean<?>> bean = site.bean();
        Optional<Type> type =
                bean.flatMap(known -> AnsweringBean.typeFor(known, site.method().getDeclaringClass()));
        if (type.isEmpty()) {
            found.accept(
                    of(
                            ProblemCode.DFB134,
                            site,
                            bean.isEmpty()
                                    ? "an instance that a producer or a builder makes"
                                    : "a bean without that type",
                            "Nobody could make the call later. Put the method on a bean that has its own class among its types"));
        }
        return type;
    }

    private void problem(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(of(code, site, value, remedy));
    }

    private static Problem of(ProblemCode code, GuardSite site, String value, String remedy) {
        return new Problem(code, site.where(), value, remedy);
    }
}
