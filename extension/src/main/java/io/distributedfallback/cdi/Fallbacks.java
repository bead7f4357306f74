package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** Finds what answers instead of guarded methods, or the problems that say why nothing can. */
final class Fallbacks {

    private final BeanManager beans;
    private final NamedBeans named;
    private final Consumer<Problem> problems;

    Fallbacks(BeanManager beans, Consumer<Problem> problems) {
        this.beans = beans;
        this.named = new NamedBeans(beans);
        this.problems = problems;
    }

    /**
     * What answers, which may be nothing. Empty only if the annotation stands on the class and its backup does not have
     * this method: the method is not guarded then.
     */
    Optional<BoundFallback> find(GuardSite site, GuardDefinition definition) {
        List<String> members = membersOf(definition);
        if (members.size() > 1) {
            problemOfPlace(ProblemCode.DFB101, site, String.join(", ", members), "Keep one of them");
            return Optional.of(BoundFallback.NONE);
        }
        if (definition.backup().isPresent()) {
            return backup(site, definition.backup().get());
        }
        if (definition.fallbackMethod().isPresent()) {
            return Optional.of(method(site, definition.fallbackMethod().get()));
        }
        return Optional.of(
                definition.handler().isPresent()
                        ? handler(site, definition.handler().get())
                        : BoundFallback.NONE);
    }

    /** The members that say what answers, of which there can be one. */
    private static List<String> membersOf(GuardDefinition definition) {
        List<String> members = new ArrayList<>(1);
        definition.fallbackMethod().ifPresent(name -> members.add("fallbackMethod = " + name));
        definition.handler().ifPresent(type -> members.add("value = " + type.getName()));
        definition.backup().ifPresent(type -> members.add("backup = " + type.getName()));
        return members;
    }

    private BoundFallback method(GuardSite site, String name) {
        FallbackMethods methods = new FallbackMethods(site.method());
        Optional<MethodFallback> found = methods.find(name);
        if (found.isEmpty()) {
            List<String> candidates = methods.candidates(name);
            problem(
                    ProblemCode.DFB102,
                    site,
                    "fallbackMethod = " + name,
                    (candidates.isEmpty()
                                    ? "No accessible method has that name"
                                    : "Methods of that name, none of which fits: " + String.join("; ", candidates))
                            + ". Declare one with the parameters and the return type of "
                            + site.method().toGenericString()
                            + ", and a Throwable more at the end if it wants the failure");
            return BoundFallback.NONE;
        }
        return found.get();
    }

    private BoundFallback handler(GuardSite site, Class<? extends FallbackHandler<?>> type) {
        checkAnswer(site, type);
        Set<Bean<?>> candidates = named.of(type);
        if (candidates.size() > 1) {
            problemOfPlace(ProblemCode.DFB111, site, "value = " + type.getName(), several(candidates));
            return BoundFallback.NONE;
        }
        try {
            if (candidates.isEmpty()) {
                return new HandlerFallback(MadeHandlers.of(type, beans));
            }
            AnsweringBean bean = new AnsweringBean(candidates.iterator().next(), FallbackHandler.class, beans);
            return new HandlerFallback(bean::answer);
        } catch (IllegalArgumentException e) {
            problemOfPlace(
                    ProblemCode.DFB111,
                    site,
                    "value = " + type.getName(),
                    "Make it a bean that can be injected, or a class that CDI can make: " + e.getMessage());
            return BoundFallback.NONE;
        }
    }

    private void checkAnswer(GuardSite site, Class<? extends FallbackHandler<?>> type) {
        Optional<Type> answer = new ResolvedTypes(type).argument(FallbackHandler.class, 0);
        Class<?> wanted = ResolvedTypes.box(site.method().getReturnType());
        ResolvedTypes here = new ResolvedTypes(site.beanClass());
        boolean fits = answer.map(given -> wanted == Void.class
                        ? here.raw(given) == Void.class
                        : here.isAssignable(site.method().getGenericReturnType(), given))
                .orElse(true);
        if (!fits) {
            problem(
                    ProblemCode.DFB103,
                    site,
                    "value = " + type.getName(),
                    "It handles " + answer.get().getTypeName() + ", and the method returns "
                            + site.method().getGenericReturnType().getTypeName() + ". Implement FallbackHandler<"
                            + (wanted == Void.class ? "Void" : wanted.getSimpleName()) + ">");
        }
    }

    private Optional<BoundFallback> backup(GuardSite site, Class<?> type) {
        String value = "backup = " + type.getName();
        Set<Bean<?>> candidates = named.of(type);
        if (candidates.stream().anyMatch(site::isOf)) {
            candidates = candidates.stream().filter(bean -> !site.isOf(bean)).collect(Collectors.toSet());
            if (candidates.isEmpty()) {
                problemOfPlace(
                        ProblemCode.DFB113, site, value, "Name another bean; this one is the guarded one itself");
                return Optional.of(BoundFallback.NONE);
            }
        }
        if (candidates.size() != 1) {
            String remedy = candidates.isEmpty()
                    ? "No bean has that class. Give it a scope, and see that it is in an archive with beans"
                    : several(candidates);
            problemOfPlace(ProblemCode.DFB112, site, value, remedy);
            return Optional.of(BoundFallback.NONE);
        }
        Bean<?> bean = candidates.iterator().next();
        Class<?> backup = type.isAssignableFrom(bean.getBeanClass()) ? bean.getBeanClass() : type;
        BackupMethods methods = new BackupMethods(site.beanClass(), backup);
        Optional<Method> method = methods.find(site.method());
        if (method.isPresent()) {
            return Optional.of(backup(site, bean, method.get(), value));
        }
        if (site.onClass().isPresent() && methods.hasAny(site.beanClass())) {
            return Optional.empty();
        }
        String common = methods.common().stream().map(Class::getName).collect(Collectors.joining(", "));
        problemOfPlace(
                ProblemCode.DFB114,
                site,
                value,
                (common.isEmpty() ? "They have no type in common" : "They have in common " + common)
                        + ". Let both implement an interface, with the same type arguments, that declares "
                        + (site.onClass().isPresent()
                                ? "the methods"
                                : site.method().getName()));
        return Optional.of(BoundFallback.NONE);
    }

    private BoundFallback backup(GuardSite site, Bean<?> bean, Method method, String value) {
        try {
            return new BackupFallback(new AnsweringBean(bean, method.getDeclaringClass(), beans), method);
        } catch (IllegalArgumentException e) {
            problemOfPlace(
                    ProblemCode.DFB112,
                    site,
                    value,
                    "Make it a bean that can be injected by a type with that method: " + e.getMessage());
            return BoundFallback.NONE;
        }
    }

    private static String several(Set<Bean<?>> candidates) {
        return "Name the class of one of these beans: "
                + candidates.stream().map(Bean::toString).sorted().collect(Collectors.joining("; "));
    }

    private void problem(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(new Problem(code, site.where(), value, remedy));
    }

    /** The same for all methods of a class, if the annotation stands on the class: told once. */
    private void problemOfPlace(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(new Problem(code, site.place(), value, remedy));
    }
}
