package io.distributedfallback.config;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Finds what is wrong with keys, with names of breakers and with policies, and reads the policies on the way. */
final class ConfigurationCheck {

    private final ConfigValues values;
    private final DeclaredBreakers declared;
    private final Settings settings;

    ConfigurationCheck(ConfigValues values, DeclaredBreakers declared, Settings settings) {
        this.values = values;
        this.declared = declared;
        this.settings = settings;
    }

    Findings findings() {
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
}
