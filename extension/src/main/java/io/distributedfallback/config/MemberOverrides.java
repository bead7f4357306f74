package io.distributedfallback.config;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.DistributedFallback.NoHandler;
import io.distributedfallback.config.ConfigValues.Found;
import io.distributedfallback.config.GuardDefinition.Mode;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.Problem;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/**
 * Puts the configuration over the members of a {@link DistributedFallback}, as MicroProfile Fault Tolerance does with
 * its annotations (4.1, chapter 12).
 *
 * <ol>
 *   <li>An annotation on a method: {@code <class>/<method>/DistributedFallback/<member>}, where the class is the one that
 *       declares the method, then {@code DistributedFallback/<member>}.
 *   <li>An annotation on a class: {@code <class>/DistributedFallback/<member>}, where the class is the one that carries
 *       the annotation, then {@code DistributedFallback/<member>}.
 *   <li>{@code enabled}, which is no member of the annotation, is looked for in all three places wherever the annotation
 *       stands, so that one key can switch off a whole class, or one method of a class. It outranks {@code MP_Fault_Tolerance_NonFallback_Enabled}.
 * </ol>
 */
final class MemberOverrides {

    private static final String BREAKER = "breaker";
    private static final String FALLBACK_METHOD = "fallbackMethod";
    private static final String HANDLER = "value";
    private static final String BACKUP = "backup";
    private static final String FAIL_ON = "failOn";
    private static final String SKIP_ON = "skipOn";
    private static final String ENABLED = "enabled";

    /** What a key may end with. */
    static final Set<String> MEMBERS =
            new TreeSet<>(Set.of(BREAKER, FALLBACK_METHOD, HANDLER, BACKUP, FAIL_ON, SKIP_ON, ENABLED));

    private static final String NON_FALLBACK_ENABLED = "MP_Fault_Tolerance_NonFallback_Enabled";
    private static final String ANNOTATION = "DistributedFallback/";

    private final ConfigValues values;
    private final Everywhere everywhere;
    private final ClassLoader loader;
    private final Consumer<Problem> problems;

    MemberOverrides(ConfigValues values, Everywhere everywhere, ClassLoader loader, Consumer<Problem> problems) {
        this.values = values;
        this.everywhere = everywhere;
        this.loader = loader;
        this.problems = problems;
    }

    /**
     * The overrides that hold for more than one method: for a class, or for all annotations of an application. They are read
     * once: to ask for them again for each of some hundred methods is what takes longest at deployment.
     */
    static final class Everywhere {
        private final Map<String, Optional<Found>> known = new ConcurrentHashMap<>();

        private Optional<Found> find(String key, ConfigValues values, Consumer<Problem> problems) {
            return known.computeIfAbsent(key, read -> values.find(read, problems));
        }
    }

    /**
     * Where an annotation stands, and what it guards.
     *
     * @param type the class that carries it, or that declares the method that does
     * @param onMethod whether it stands on the method
     * @param guarded the method that it guards
     */
    record Site(Class<?> type, boolean onMethod, Method guarded) {

        static Site on(Method method) {
            return new Site(method.getDeclaringClass(), true, method);
        }

        static Site on(Class<?> type, Method guarded) {
            return new Site(type, false, guarded);
        }

        /** The name of a breaker that is given none. */
        String defaultBreaker() {
            return onMethod ? keyOf(guarded) : type.getName();
        }

        String keyOfEnabled() {
            return keyOf(guarded) + "/" + ANNOTATION + ENABLED;
        }

        private static String keyOf(Method method) {
            return method.getDeclaringClass().getName() + "/" + method.getName();
        }
    }

    /** The annotation as it holds. A value that is not usable is a problem and leaves the annotation's own. */
    GuardDefinition define(DistributedFallback annotation, Site site) {
        return new GuardDefinition(
                breaker(annotation, site),
                fallbackMethod(annotation, site),
                handler(annotation, site),
                backup(annotation, site),
                exceptions(site, FAIL_ON, annotation.failOn()),
                exceptions(site, SKIP_ON, annotation.skipOn()),
                mode(site));
    }

    private String breaker(DistributedFallback annotation, Site site) {
        Optional<Found> found = find(site, BREAKER);
        String annotated = annotation.breaker().isEmpty() ? site.defaultBreaker() : annotation.breaker();
        String name = found.isPresent() ? found.get().text() : annotated;
        String where = found.isPresent() ? found.get().where() : "@DistributedFallback on " + site.defaultBreaker();
        BreakerName.problemWith(name, where).ifPresent(problems);
        return name;
    }

    private Optional<String> fallbackMethod(DistributedFallback annotation, Site site) {
        Optional<Found> found = find(site, FALLBACK_METHOD);
        String name = found.isPresent() ? found.get().text() : annotation.fallbackMethod();
        return name.isBlank() ? Optional.empty() : Optional.of(name);
    }

    private Optional<Class<? extends FallbackHandler<?>>> handler(DistributedFallback annotation, Site site) {
        Optional<Found> found = find(site, HANDLER);
        Class<? extends FallbackHandler<?>> type = annotation.value();
        if (found.isPresent()) {
            type = found.get()
                    .<Class<? extends FallbackHandler<?>>>read(
                            this::handler, "the name of a FallbackHandler class", problems)
                    .orElse(type);
        }
        return type == NoHandler.class ? Optional.empty() : Optional.of(type);
    }

    private List<Class<?>> backup(DistributedFallback annotation, Site site) {
        return find(site, BACKUP)
                .flatMap(found -> found.read(
                        text -> this.<Object>types(text, Object.class),
                        "names of classes with commas between them",
                        problems))
                .<List<Class<?>>>map(List::copyOf)
                .orElseGet(() -> List.of(annotation.backup()));
    }

    private Mode mode(Site site) {
        Optional<Found> found = findEnabled(site);
        if (found.isPresent()) {
            Optional<Boolean> enabled = found.get().read(ConfigValues::truth, "true or false", problems);
            if (enabled.isPresent()) {
                return enabled.get() ? Mode.GUARDED : Mode.DISABLED;
            }
        }
        Optional<Found> flag = everywhere.find(NON_FALLBACK_ENABLED, values, problems);
        return flag.isEmpty() || values.flag(flag.get()) ? Mode.GUARDED : Mode.FALLBACK_ONLY;
    }

    private List<Class<? extends Throwable>> exceptions(
            Site site, String member, Class<? extends Throwable>[] annotated) {
        Optional<Found> found = find(site, member);
        if (found.isPresent()) {
            Optional<List<Class<? extends Throwable>>> types = found.get()
                    .read(
                            text -> types(text, Throwable.class),
                            "names of exception classes with commas between them",
                            problems);
            if (types.isPresent()) {
                return types.get();
            }
        }
        return List.of(annotated);
    }

    private Optional<Found> find(Site site, String member) {
        String key = site.defaultBreaker() + "/" + ANNOTATION + member;
        Optional<Found> found = site.onMethod() ? values.find(key, problems) : everywhere.find(key, values, problems);
        return found.isPresent() ? found : everywhere.find(ANNOTATION + member, values, problems);
    }

    private Optional<Found> findEnabled(Site site) {
        Optional<Found> found = values.find(site.keyOfEnabled(), problems);
        if (found.isEmpty()) {
            found = everywhere.find(site.type().getName() + "/" + ANNOTATION + ENABLED, values, problems);
        }
        return found.isPresent() ? found : everywhere.find(ANNOTATION + ENABLED, values, problems);
    }

    private <T> List<Class<? extends T>> types(String text, Class<T> wanted) {
        List<Class<? extends T>> types = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            types.add(load(name.strip(), wanted, type -> type.asSubclass(wanted)));
        }
        return types;
    }

    @SuppressWarnings("unchecked")
    private Class<? extends FallbackHandler<?>> handler(String name) {
        return load(name, FallbackHandler.class, type -> (Class<? extends FallbackHandler<?>>) type);
    }

    private <T> Class<? extends T> load(String name, Class<?> wanted, Function<Class<?>, Class<? extends T>> cast) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            if (!wanted.isAssignableFrom(type)) {
                throw new IllegalArgumentException("the class " + name + " is no " + wanted.getName());
            }
            return cast.apply(type);
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalArgumentException("there is no class " + name, e);
        }
    }
}
