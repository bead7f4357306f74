package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Recovery;
import io.distributedfallback.config.ConfigValues.Found;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.PolicyBuilder;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads the policy of a breaker from all its layers, each above the one before: the defaults of the product,
 * {@link BreakerPolicy}, {@code distributed-fallback.default.<key>}, {@code distributed-fallback.breaker.<name>.<key>}.
 * All layers are read, also those that another one covers: a bad value is a bad value wherever it stands.
 */
final class PolicyReader {

    static final String DEFAULTS = ConfigValues.PREFIX + "default.";
    static final String BREAKERS = ConfigValues.PREFIX + "breaker.";

    private final ConfigValues values;
    private final Set<String> probed;
    private final Map<String, DeclaredBreakers.Declared> declared = new LinkedHashMap<>();

    PolicyReader(ConfigValues values, DeclaredBreakers breakers) {
        this.values = values;
        this.probed = breakers.probed();
        breakers.policies()
                .forEach(policy -> declared.putIfAbsent(policy.policy().breaker(), policy));
    }

    /**
     * A policy as it was read.
     *
     * @param policy the policy; without the values that are not usable, and the default if they do not fit together
     * @param problems what is wrong
     */
    record Reading(Policy policy, List<Problem> problems) {}

    /** Reads the policy that a breaker has now. */
    Reading read(String breaker) {
        List<Problem> problems = new ArrayList<>();
        return read(breaker, defaults(problems::add), problems);
    }

    /**
     * Reads the policy that a breaker has now.
     *
     * @param defaults the values for all breakers, so that they are read once for many policies
     */
    Reading read(String breaker, Map<PolicyKey, Found> defaults) {
        return read(breaker, defaults, new ArrayList<>());
    }

    private Reading read(String breaker, Map<PolicyKey, Found> defaults, List<Problem> problems) {
        PolicyBuilder builder = new PolicyBuilder();
        Set<PolicyKey> set = EnumSet.noneOf(PolicyKey.class);
        for (PolicyKey key : PolicyKey.values()) {
            for (Found found : layers(key, breaker, defaults, problems::add)) {
                if (apply(key, found, builder, problems::add)) {
                    set.add(key);
                }
            }
        }
        boolean hasProbe =
                probed.contains(breaker) || builder.build().probeUrl().isPresent();
        Recovery natural = hasProbe ? Recovery.PROBE : Recovery.TRIAL;
        if (!set.contains(PolicyKey.RECOVERY)) {
            builder.recovery(natural);
        }
        Policy policy = builder.build();
        List<Problem> misfits = misfits(breaker, policy, hasProbe);
        if (!misfits.isEmpty()) {
            problems.addAll(misfits);
            policy = new PolicyBuilder()
                    .probeUrl(policy.probeUrl().orElse(null))
                    .recovery(natural)
                    .build();
        }
        return new Reading(policy, problems);
    }

    /**
     * The values for all breakers.
     *
     * @param problems is told of those that cannot be had; whether the others can be used shows in a policy
     */
    private Map<PolicyKey, Found> defaults(Consumer<Problem> problems) {
        Map<PolicyKey, Found> defaults = new EnumMap<>(PolicyKey.class);
        for (PolicyKey key : PolicyKey.values()) {
            if (key.hasDefault()) {
                values.find(DEFAULTS + key.key(), problems).ifPresent(found -> defaults.put(key, found));
            }
        }
        return defaults;
    }

    /** The values for all breakers, looked at in case there is no breaker yet whose policy they would be in. */
    Map<PolicyKey, Found> checkedDefaults(Consumer<Problem> problems) {
        Map<PolicyKey, Found> defaults = defaults(problems);
        defaults.forEach((key, found) -> apply(key, found, new PolicyBuilder(), problems));
        return defaults;
    }

    private static boolean apply(PolicyKey key, Found found, PolicyBuilder policy, Consumer<Problem> problems) {
        return found.read(text -> key.set(policy, text), key.expected(), problems)
                .isPresent();
    }

    private List<Found> layers(
            PolicyKey key, String breaker, Map<PolicyKey, Found> defaults, Consumer<Problem> problems) {
        List<Found> layers = new ArrayList<>(3);
        DeclaredBreakers.Declared annotation = declared.get(breaker);
        if (annotation != null) {
            key.in(annotation.policy()).ifPresent(text -> layers.add(new Found(memberOf(annotation, key), text)));
        }
        if (defaults.containsKey(key)) {
            layers.add(defaults.get(key));
        }
        values.find(BREAKERS + breaker + "." + key.key(), problems).ifPresent(layers::add);
        return layers;
    }

    private static String memberOf(DeclaredBreakers.Declared declared, PolicyKey key) {
        return "@BreakerPolicy(breaker = \"" + declared.policy().breaker() + "\") on "
                + declared.place().getName() + ", member " + key.memberName();
    }

    private static List<Problem> misfits(String breaker, Policy policy, boolean hasProbe) {
        List<Problem> misfits = new ArrayList<>(0);
        if (policy.probeLease().compareTo(policy.probeTimeout()) <= 0) {
            misfits.add(together(
                    breaker,
                    pair(PolicyKey.PROBE_LEASE, policy.probeLease(), PolicyKey.PROBE_TIMEOUT, policy.probeTimeout()),
                    "Make probe-lease longer than probe-timeout, such as 10s and 5s: a probe must have ended before"
                            + " another instance may start one"));
        }
        if (policy.cooldown().compareTo(policy.maxCooldown()) > 0) {
            misfits.add(together(
                    breaker,
                    pair(PolicyKey.COOLDOWN, policy.cooldown(), PolicyKey.MAX_COOLDOWN, policy.maxCooldown()),
                    "Make cooldown at most max-cooldown, such as 60s and 1h"));
        }
        if (policy.recovery() == Recovery.PROBE && !hasProbe) {
            misfits.add(together(
                    breaker,
                    "recovery=probe without a probe",
                    "Add a method with @Probe(\"" + breaker + "\"), set " + BREAKERS + breaker
                            + ".probe-url, or choose recovery=trial"));
        }
        return misfits;
    }

    private static String pair(PolicyKey one, Duration first, PolicyKey other, Duration second) {
        return one.key() + "=" + first + ", " + other.key() + "=" + second;
    }

    private static Problem together(String breaker, String value, String remedy) {
        return new Problem(ProblemCode.DFB203, "breaker \"" + breaker + "\"", value, remedy);
    }
}
