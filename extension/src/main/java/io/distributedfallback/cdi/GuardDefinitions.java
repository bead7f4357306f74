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
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** Turns the annotations of guarded methods into definitions that work, or into problems that say why they cannot. */
final class GuardDefinitions {

    private final Configuration configuration;
    private final BeanManager beans;
    private final Consumer<Problem> problems;

    GuardDefinitions(Configuration configuration, BeanManager beans, Consumer<Problem> problems) {
        this.configuration = configuration;
        this.beans = beans;
        this.problems = problems;
    }

    /** A guarded method, what holds for it, and what answers instead. */
    record Guard(GuardSite site, GuardDefinition definition, BoundFallback fallback) {}

    List<Guard> define(Collection<GuardSite> sites) {
        Map<GuardSite, GuardDefinition> definitions = new LinkedHashMap<>();
        sites.forEach(site -> definitions.put(site, definitionOf(site)));
        List<Guard> guards = new ArrayList<>();
        definitions.forEach((site, definition) -> {
            if (!answersForAnother(site, definitions)) {
                checkPlace(site);
                guards.add(new Guard(site, definition, fallbackOf(site, definition)));
            }
        });
        return guards;
    }

    private GuardDefinition definitionOf(GuardSite site) {
        DistributedFallback annotation = site.annotation();
        return site.onClass()
                .map(type -> configuration.guard(annotation, type, site.method(), problems))
                .orElseGet(() -> configuration.guard(annotation, site.method(), problems));
    }

    /** A method that is a fallback is not guarded by an annotation on its class: it must answer while that is open. */
    private static boolean answersForAnother(GuardSite site, Map<GuardSite, GuardDefinition> definitions) {
        return site.onClass().isPresent()
                && definitions.entrySet().stream()
                        .filter(other -> other.getKey().beanClass() == site.beanClass())
                        .flatMap(other -> other.getValue().fallbackMethod().stream())
                        .anyMatch(site.method().getName()::equals);
    }

    private void checkPlace(GuardSite site) {
        Method method = site.method();
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
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

    private BoundFallback fallbackOf(GuardSite site, GuardDefinition definition) {
        Optional<String> method = definition.fallbackMethod();
        Optional<Class<? extends FallbackHandler<?>>> handler = definition.handler();
        if (method.isPresent() && handler.isPresent()) {
            problem(
                    ProblemCode.DFB101,
                    site,
                    "fallbackMethod = " + method.get() + ", value = "
                            + handler.get().getName(),
                    "Keep one of the two");
            return BoundFallback.NONE;
        }
        return method.map(name -> methodFallback(site, name))
                .or(() -> handler.map(type -> handlerFallback(site, type)))
                .orElse(BoundFallback.NONE);
    }

    private BoundFallback methodFallback(GuardSite site, String name) {
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

    private BoundFallback handlerFallback(GuardSite site, Class<? extends FallbackHandler<?>> type) {
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
        return new HandlerFallback(type, beans);
    }

    private void problem(ProblemCode code, GuardSite site, String value, String remedy) {
        problems.accept(new Problem(code, site.where(), value, remedy));
    }
}
