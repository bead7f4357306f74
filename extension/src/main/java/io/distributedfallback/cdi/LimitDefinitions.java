package io.distributedfallback.cdi;

import io.distributedfallback.FallbackLimit;
import io.distributedfallback.FallbackLimit.Scope;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.Declarations.LimitSite;
import io.distributedfallback.cdi.GuardDefinitions.Guard;
import io.distributedfallback.config.Configuration;
import io.distributedfallback.config.RungMembers;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.limit.LimitSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Turns {@code @FallbackLimit} into limits, or into problems. Knows all limits of the application by their names. */
final class LimitDefinitions {

    private static final String VALUE = "@FallbackLimit";
    private static final int MOST_PERMITS = 1_000_000;
    private static final int MOST_CALLS = 100_000;

    private final Configuration configuration;
    private final String prefix;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

    /** A limit that has been declared, and where first. */
    private record Known(LimitSettings settings, String where) {}

    /** @param prefix goes before the names of limits in the store */
    LimitDefinitions(Configuration configuration, String prefix) {
        this.configuration = configuration;
        this.prefix = prefix;
    }

    /** The limit of a guarded method, if it has one; one without a fallback has none, see {@link #checkPlaces}. */
    Optional<RungDefinition> define(RungDefinitions.Place place, Consumer<Problem> problems) {
        GuardSite site = place.site();
        Optional<FallbackLimit> annotation = site.beside().limit();
        if (annotation.isEmpty()) {
            return Optional.empty();
        }
        RungMembers members = configuration.members(FallbackLimit.class, site.beanClass(), site.method(), problems);
        if (!members.isEnabled()) {
            return Optional.empty();
        }
        if (!place.hasFallback()) {
            if (!isInherited(site)) {
                problems.accept(nothingToLimit(site.where()));
            }
            return Optional.empty();
        }
        return settings(place, annotation.get(), members, problems).map(settings -> LimitRung.of(place, settings));
    }

    /** The class says it for all of its methods, and not all of them need have a fallback. */
    private static boolean isInherited(GuardSite site) {
        return !site.method().isAnnotationPresent(FallbackLimit.class);
    }

    /** What is wrong with the switch has been told. */
    private boolean isEnabled(GuardSite site) {
        return configuration
                .members(FallbackLimit.class, site.beanClass(), site.method(), problem -> {})
                .isEnabled();
    }

    private Optional<LimitSettings> settings(
            RungDefinitions.Place place, FallbackLimit annotation, RungMembers members, Consumer<Problem> problems) {
        String where = place.site().where();
        String given = members.text("name", annotation.name());
        String name = given.isEmpty() ? place.definition().breaker() : given;
        int permits = members.count("value", annotation.value(), 1, MOST_PERMITS);
        Scope scope = members.constant("scope", annotation.scope());
        int burst = members.count("burst", annotation.burst(), 0, MOST_PERMITS);
        Duration wait = members.durationOrOff("maxWait", annotation.maxWait()).orElse(Duration.ZERO);
        int least = LimitSettings.leastBurstOfCluster(permits);
        Optional<Problem> flaw = flawOf(name, where)
                .or(() -> wait.compareTo(LimitSettings.LONGEST_WAIT) > 0
                        ? Optional.of(misfit(where, "maxWait = " + wait, "A call may wait 5s at most"))
                        : Optional.empty())
                .or(() -> scope == Scope.CLUSTER && burst > 0 && burst < least
                        ? Optional.of(misfit(
                                where,
                                "scope = CLUSTER, burst = " + burst,
                                "Permits of all instances are handed out for a tenth of a second at a time, so let it be "
                                        + least + " or more, or leave it at 0"))
                        : Optional.empty());
        flaw.ifPresent(problems);
        if (flaw.isPresent()) {
            return Optional.empty();
        }
        LimitSettings settings = new LimitSettings(
                name,
                permits,
                scope,
                burst == 0 ? least : burst,
                members.count("maxConcurrent", annotation.maxConcurrent(), 0, MOST_CALLS),
                wait);
        return isLikeOthers(settings, where, problems) ? Optional.of(settings) : Optional.empty();
    }

    private Optional<Problem> flawOf(String name, String where) {
        return BreakerName.flaw(name)
                .or(() -> prefix.length() + name.length() > BreakerName.LONGEST
                        ? Optional.of("with the prefix " + prefix + " it is longer than " + BreakerName.LONGEST)
                        : Optional.empty())
                .map(flaw -> new Problem(
                        ProblemCode.DFB128,
                        where,
                        FailureText.oneLine(name),
                        Character.toUpperCase(flaw.charAt(0)) + flaw.substring(1) + ". Give it a name of "
                                + BreakerName.SHORTEST + " to " + BreakerName.LONGEST + " visible characters"));
    }

    private boolean isLikeOthers(LimitSettings settings, String where, Consumer<Problem> problems) {
        Known first = known.putIfAbsent(settings.name(), new Known(settings, where));
        if (first == null || first.settings().equals(settings)) {
            return true;
        }
        problems.accept(new Problem(
                ProblemCode.DFB127,
                "limit " + settings.name(),
                where + ": " + settings.describe() + "; " + first.where() + ": "
                        + first.settings().describe(),
                "Give both the same settings, or one of them a name of its own"));
        return false;
    }

    /** Limits of methods that no annotation guards, and of classes of which no method has a fallback. */
    void checkPlaces(Collection<LimitSite> unguarded, Collection<Guard> guards, Consumer<Problem> problems) {
        for (LimitSite site : unguarded) {
            if (site.method().isPresent()
                    || guards.stream().noneMatch(guard -> guard.site().beanClass() == site.beanClass())) {
                problems.accept(new Problem(
                        ProblemCode.DFB125,
                        site.where(),
                        VALUE,
                        "Put @DistributedFallback with a fallback beside it, or take it off"));
            }
        }
        guards.stream()
                .map(Guard::site)
                .filter(site -> site.beside().limit().isPresent() && isInherited(site) && isEnabled(site))
                .map(GuardSite::beanClass)
                .distinct()
                .filter(type -> guards.stream()
                        .filter(guard -> guard.site().beanClass() == type)
                        .allMatch(guard -> guard.fallback() == BoundFallback.NONE))
                .forEach(type -> problems.accept(nothingToLimit(type.getName())));
    }

    private static Problem nothingToLimit(String where) {
        return new Problem(
                ProblemCode.DFB126,
                where,
                VALUE,
                "Give @DistributedFallback a fallbackMethod, a handler (value) or a backup, or take the limit off");
    }

    private static Problem misfit(String where, String value, String remedy) {
        return new Problem(ProblemCode.DFB213, where, value, remedy);
    }
}
