package io.distributedfallback.config;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.config.MemberOverrides.Site;
import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.AlertRules;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    /** What holds for all queues; the default in the place of what is not usable, and {@code problems} is told. */
    public QueueSettings queue(Consumer<Problem> problems) {
        return new QueueReader(values, problems).read();
    }

    /**
     * Finds all that is wrong with keys, with names of breakers and with policies; {@link #guard} and
     * {@link #settings} have their own say.
     */
    public Findings check(DeclaredBreakers declared) {
        return new ConfigurationCheck(values, declared, settings(ignored -> {})).findings();
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

    private static String randomId() {
        return UUID.randomUUID().toString().substring(0, RANDOM_ID_LENGTH);
    }
}
