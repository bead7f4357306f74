package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.config.GuardDefinition;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
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
    private final Backups backups;
    private final Consumer<Problem> problems;

    Fallbacks(BeanManager beans, Consumer<Problem> problems, Consumer<Problem> warnings) {
        this.beans = beans;
        this.named = new NamedBeans(beans);
        this.backups = new Backups(beans, named, problems, warnings);
        this.problems = problems;
    }

    /**
     * What answers, which may be nothing. Empty only if the annotation stands on the class and no backup has this method:
     * the method is not guarded then.
     */
    Optional<Answering> find(GuardSite site, GuardDefinition definition) {
        List<String> members = membersOf(definition);
        if (members.size() > 1) {
            problemOfPlace(ProblemCode.DFB101, site, String.join(", ", members), "Keep one of them");
            return Optional.of(Answering.by(BoundFallback.NONE));
        }
        return definition.backup().isEmpty()
                ? Optional.of(Answering.by(own(site, definition)))
                : backups.find(site, definition.backup());
    }

    private BoundFallback own(GuardSite site, GuardDefinition definition) {
        if (definition.fallbackMethod().isPresent()) {
            return method(site, definition.fallbackMethod().get());
        }
        return definition.handler().isPresent()
                ? handler(site, definition.handler().get())
                : BoundFallback.NONE;
    }

    /** The members that say what answers, of which there can be one. */
    private static List<String> membersOf(GuardDefinition definition) {
        List<String> members = new ArrayList<>(1);
        definition.fallbackMethod().ifPresent(name -> members.add("fallbackMethod = " + name));
        definition.handler().ifPresent(type -> members.add("value = " + type.getName()));
        if (!definition.backup().isEmpty()) {
            members.add("backup = "
                    + definition.backup().stream().map(Class::getName).collect(Collectors.joining(", ")));
        }
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

    /** What to do about beans of which each could be meant. */
    static String several(Set<Bean<?>> candidates) {
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
