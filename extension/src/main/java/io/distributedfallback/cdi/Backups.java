package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds the beans that are called instead of a guarded one, or the problems that say why they cannot be. */
final class Backups {

    private final BeanManager beans;
    private final NamedBeans named;
    private final Consumer<Problem> problems;
    private final Consumer<Problem> warnings;

    Backups(BeanManager beans, NamedBeans named, Consumer<Problem> problems, Consumer<Problem> warnings) {
        this.beans = beans;
        this.named = named;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** Those that have the method, in their order. Empty if none has it, and the annotation stands on the class. */
    Optional<Answering> find(GuardSite site, List<Class<?>> types) {
        List<BoundFallback> found = new ArrayList<>();
        List<Class<?>> without = new ArrayList<>();
        for (Class<?> type : types) {
            find(site, type).ifPresentOrElse(found::add, () -> without.add(type));
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (found.contains(BoundFallback.NONE)) {
            return Optional.of(Answering.by(BoundFallback.NONE));
        }
        without.forEach(type -> warnings.accept(new Problem(
                ProblemCode.DFB138,
                site.where(),
                value(type),
                "The others of the chain are asked. Declare the method in a type that this one has as well, if it is to"
                        + " answer")));
        return Optional.of(new Answering(
                found.stream()
                        .limit(found.size() - 1L)
                        .map(BackupFallback.class::cast)
                        .toList(),
                found.get(found.size() - 1)));
    }

    /** None if there is a problem; empty if it lacks this method of a class. */
    private Optional<BoundFallback> find(GuardSite site, Class<?> type) {
        String value = value(type);
        Set<Bean<?>> candidates = named.of(type);
        if (candidates.stream().anyMatch(site::isOf)) {
            candidates = candidates.stream().filter(bean -> !site.isOf(bean)).collect(Collectors.toSet());
            if (candidates.isEmpty()) {
                return none(ProblemCode.DFB113, site, value, "Name another bean; this one is the guarded one itself");
            }
        }
        if (candidates.size() != 1) {
            String remedy = candidates.isEmpty()
                    ? "No bean has that class. Give it a scope, and see that it is in an archive with beans"
                    : Fallbacks.several(candidates);
            return none(ProblemCode.DFB112, site, value, remedy);
        }
        Bean<?> bean = candidates.iterator().next();
        Class<?> backup = type.isAssignableFrom(bean.getBeanClass()) ? bean.getBeanClass() : type;
        BackupMethods methods = new BackupMethods(site.beanClass(), backup);
        Optional<Method> method = methods.find(site.method());
        if (method.isPresent()) {
            return bind(site, bean, backup, method.get(), value);
        }
        if (site.onClass().isPresent() && methods.hasAny(site.beanClass())) {
            return Optional.empty();
        }
        String common = methods.common().stream().map(Class::getName).collect(Collectors.joining(", "));
        return none(
                ProblemCode.DFB114,
                site,
                value,
                (common.isEmpty() ? "They have no type in common" : "They have in common " + common)
                        + ". Let both implement an interface, with the same type arguments, that declares "
                        + (site.onClass().isPresent()
                                ? "the methods"
                                : site.method().getName()));
    }

    private Optional<BoundFallback> bind(GuardSite site, Bean<?> bean, Class<?> type, Method method, String value) {
        try {
            return Optional.of(
                    new BackupFallback(new AnsweringBean(bean, method.getDeclaringClass(), beans), type, method));
        } catch (IllegalArgumentException e) {
            return none(
                    ProblemCode.DFB112,
                    site,
                    value,
                    "Make it a bean that can be injected by a type with that method: " + e.getMessage());
        }
    }

    private static String value(Class<?> type) {
        return "backup = " + type.getName();
    }

    /** The same for all methods of a class, if the annotation stands on the class: told once. */
    private Optional<BoundFallback> none(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(new Problem(code, site.place(), value, remedy));
        return Optional.of(BoundFallback.NONE);
    }
}
