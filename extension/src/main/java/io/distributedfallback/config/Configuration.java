package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.config.MemberOverrides.Site;
import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * The configuration of an application: the door of this package. At deployment, in this order:
 *
 * <ol>
 *   <li>{@link #guard} for each {@code @DistributedFallback} found;
 *   <li>{@link #settings}, {@link #admin}, and {@link #alerts};
 *   <li>{@link #check} with the breakers that this brought to light: it finds all that is wrong with keys, names and
 *       policies;
 *   <li>{@link #policies}, if nothing is wrong.
 * </ol>
 *
 * <p>No method throws because of what a user wrote; it becomes a {@link Problem}. Thread-safe as far as the
 * {@link Config} is.
 */
public final class Configuration {

    private static final int RANDOM_ID_LENGTH = 8;

    private final ConfigValues values;
    private final MemberOverrides.Everywhere everywhere = new MemberOverrides.Everywhere();
    private final ClassLoader loader;
    private final Supplier<String> instanceId;

    Configuration(Config config, ClassLoader loader, Supplier<String> instanceId) {
        this.values = new ConfigValues(Objects.requireNonNull(config, "config"));
        this.loader = Objects.requireNonNull(loader, "loader");
        this.instanceId = instanceId;
    }

    /**
     * A configuration that is read from a given MicroProfile Config.
     *
     * @param config where the values are
     * @param loader finds the classes that values name
     */
    public Configuration(Config config, ClassLoader loader) {
        this(config, loader, Configuration::randomId);
    }

    /**
     * The configuration of the application that is running.
     *
     * @param loader the application's class loader
     */
    public static Configuration of(ClassLoader loader) {
        return new Configuration(ConfigProvider.getConfig(loader), loader);
    }

    /**
     * A {@code @DistributedFallback} on a class, as it holds after the overrides.
     *
     * @param annotation the annotation
     * @param site the class that carries it
     * @param guarded the method that it guards
     * @param problems is told what is not usable: the annotation's own value is in its place then
     */
    public GuardDefinition guard(
            DistributedFallback annotation, Class<?> site, Method guarded, Consumer<Problem> problems) {
        return new MemberOverrides(values, everywhere, loader, problems).define(annotation, Site.on(site, guarded));
    }

    /**
     * A {@code @DistributedFallback} on a method, as it holds after the overrides.
     *
     * @param annotation the annotation
     * @param site the method that carries it
     * @param problems is told what is not usable: the annotation's own value is in its place then
     */
    public GuardDefinition guard(DistributedFallback annotation, Method site, Consumer<Problem> problems) {
        return new MemberOverrides(values, everywhere, loader, problems).define(annotation, Site.on(site));
    }

    /**
     * The members of an annotation beside {@code @DistributedFallback}, as they hold after the overrides.
     *
     * @param annotation its type
     * @param bean the class of the bean, which may have the method from a superclass
     * @param guarded the method that it holds for
     * @param problems is told what is not usable
     */
    public RungMembers members(
            Class<? extends Annotation> annotation, Class<?> bean, Method guarded, Consumer<Problem> problems) {
        return new RungMembers(values, annotation, new RungMembers.Site(bean, guarded), problems);
    }

    /**
     * What is the same for all breakers.
     *
     * @param problems is told what is not usable: the default is in its place then
     */
    public Settings settings(Consumer<Problem> problems) {
        return new SettingsReader(values, problems).read(instanceId);
    }

    /**
     * Whether there is an admin, and whom it lets in.
     *
     * @param problems is told what is not usable
     * @return empty if it is off, or something is wrong
     */
    public Optional<AdminAccess> admin(Consumer<Problem> problems) {
        return new AdminReader(values, problems).read();
    }

    /** The name of the header that tells clients what answered instead of primaries; empty if there is to be none. */
    public Optional<String> degradedHeader(Consumer<Problem> problems) {
        return new DegradedReader(values, problems).read();
    }

    /**
     * When an alert is raised.
     *
     * @param problems is told what is not usable: the default is in its place then
     */
    public AlertRules alerts(Consumer<Problem> problems) {
        return new AlertsReader(values, problems).read();
    }

    /**
     * Finds all that is wrong with keys, with names of breakers and with policies; {@link #guard} and
     * {@link #settings} have their own say.
     */
    public Findings check(DeclaredBreakers declared) {
        Set<Problem> errors = new LinkedHashSet<>();
        KeyCatalogue keys = new KeyCatalogue(values, errors::add);
        checkPolicies(declared.policies(), errors::add);
        Set<String> annotated = new TreeSet<>(declared.guarding());
        annotated.addAll(declared.probed());
        declared.policies().forEach(policy -> annotated.add(policy.policy().breaker()));
        List<Problem> warnings = new ArrayList<>();
        for (String breaker : keys.breakers()) {
            BreakerName.problemWith(breaker, PolicyReader.BREAKERS + breaker).ifPresent(errors::add);
            if (!annotated.contains(breaker)) {
                warnings.add(unnamed(breaker, annotated));
            }
        }
        Settings settings = settings(ignored -> {});
        warnAboutPush(settings.store(), warnings::add);
        String prefix = settings.identity().prefix();
        for (String name : annotated) {
            if (name.length() <= BreakerName.LONGEST && prefix.length() + name.length() > BreakerName.LONGEST) {
                errors.add(tooLongTogether(prefix, name));
            }
        }
        Set<String> all = new TreeSet<>(annotated);
        all.addAll(keys.breakers());
        PolicyReader reader = new PolicyReader(values, declared);
        Map<PolicyKey, ConfigValues.Found> defaults = reader.checkedDefaults(errors::add);
        Map<String, Policy> policies = new HashMap<>();
        for (String breaker : all) {
            PolicyReader.Reading reading = reader.read(breaker, defaults);
            errors.addAll(reading.problems());
            policies.put(breaker, reading.policy());
        }
        return new Findings(List.copyOf(errors), warnings, policies);
    }

    /**
     * The policies of the breakers.
     *
     * @param declared what the annotations say
     * @param checked the policies that a {@link #check} without errors has just read; empty to read each when it is asked
     *     for first
     * @param clock tells when to read the configuration again
     * @param problems is told of values that become unusable while the application runs; must not throw
     */
    public Policies policies(
            DeclaredBreakers declared, Map<String, Policy> checked, MonotonicClock clock, Consumer<Problem> problems) {
        return new Policies(new PolicyReader(values, declared), checked, clock, problems);
    }

    private static void checkPolicies(List<DeclaredBreakers.Declared> policies, Consumer<Problem> problems) {
        Map<String, Class<?>> places = new HashMap<>();
        for (DeclaredBreakers.Declared declared : policies) {
            BreakerPolicy policy = declared.policy();
            String where = "@BreakerPolicy on " + declared.place().getName();
            BreakerName.problemWith(policy.breaker(), where).ifPresent(problems);
            Class<?> other = places.putIfAbsent(policy.breaker(), declared.place());
            if (other != null) {
                problems.accept(new Problem(
                        ProblemCode.DFB109,
                        where + " and on " + other.getName(),
                        policy.breaker(),
                        "Keep one of the two"));
            }
        }
    }

    private static void warnAboutPush(Settings.Store store, Consumer<Problem> warnings) {
        if (store.push() == PushMode.ON && store.kind() == StoreKind.MEMORY) {
            warnings.accept(new Problem(
                    ProblemCode.DFB207,
                    ConfigValues.PREFIX + "push",
                    "push=on, store=memory",
                    "Breakers in memory are shared with nobody who could tell of a change. Remove the key"));
        }
    }

    private static Problem unnamed(String breaker, Set<String> annotated) {
        return new Problem(
                ProblemCode.DFB204,
                PolicyReader.BREAKERS + FailureText.oneLine(breaker) + ".*",
                "",
                "It holds only if the code asks Breakers for that name. Annotations name "
                        + (annotated.isEmpty() ? "no breaker" : String.join(", ", annotated)));
    }

    private static Problem tooLongTogether(String prefix, String name) {
        return new Problem(
                ProblemCode.DFB110,
                "breaker \"" + FailureText.oneLine(name) + "\" with " + ConfigValues.PREFIX + "prefix",
                prefix,
                "Together they have " + (prefix.length() + name.length()) + " characters, and " + BreakerName.LONGEST
                        + " is the most. Shorten one of them");
    }

    private static String randomId() {
        return UUID.randomUUID().toString().substring(0, RANDOM_ID_LENGTH);
    }
}
