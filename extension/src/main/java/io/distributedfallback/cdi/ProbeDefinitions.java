package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.ProbeSite;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.ProbeCall;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Turns {@code @Probe} methods into probes that work, or into problems that say why they cannot. */
final class ProbeDefinitions {

    private final BeanManager beans;
    private final Consumer<Problem> problems;

    ProbeDefinitions(BeanManager beans, Consumer<Problem> problems) {
        this.beans = beans;
        this.problems = problems;
    }

    /**
     * The probe of each breaker that has one.
     *
     * @param used the breakers that guarded methods or policies name
     */
    Map<String, ProbeCall> define(Collection<ProbeSite> sites, Set<String> used) {
        Map<String, ProbeSite> places = new HashMap<>();
        Map<String, ProbeCall> probes = new HashMap<>();
        for (ProbeSite site : sites) {
            check(site, used);
            ProbeSite other = places.putIfAbsent(site.breaker(), site);
            if (other == null) {
                probes.put(site.breaker(), new BeanProbe(site.bean(), site.method(), beans));
            } else {
                problem(ProblemCode.DFB108, site, "Keep this one or that of " + other.where());
            }
        }
        return probes;
    }

    private void check(ProbeSite site, Set<String> used) {
        Method method = site.method();
        Class<?> answer = method.getReturnType();
        boolean answers = answer == void.class || answer == boolean.class || answer == Boolean.class;
        if (!answers || (method.getParameterCount() > 0 && !BeanProbe.takesKey(method))) {
            problem(
                    ProblemCode.DFB106,
                    site,
                    "Let it take no parameters, or one String for the key of a breaker that has keys, and return void or"
                            + " boolean");
        } else if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            problem(
                    ProblemCode.DFB106,
                    site,
                    "It is called on the bean from outside: make it neither private nor static");
        }
        Optional<Problem> misnamed = BreakerName.problemWith(site.breaker(), "@Probe on " + site.where());
        misnamed.ifPresent(problems);
        if (misnamed.isEmpty() && !used.contains(site.breaker())) {
            problem(
                    ProblemCode.DFB107,
                    site,
                    "Correct the name, or declare the breaker with @DistributedFallback or @BreakerPolicy. Known: "
                            + (used.isEmpty() ? "none" : String.join(", ", used)));
        }
    }

    /**
     * Looks for probes that wait for a key in vain.
     *
     * @param keyless the breakers that guarded methods name, and none of them with a key
     */
    void checkKeys(Collection<ProbeSite> sites, Set<String> keyless) {
        sites.stream()
                .filter(site -> BeanProbe.takesKey(site.method()) && keyless.contains(site.breaker()))
                .forEach(site -> problem(
                        ProblemCode.DFB120,
                        site,
                        "Put @BreakerKey on a parameter of the guarded method, or let the probe take none"));
    }

    private void problem(ProblemCode code, ProbeSite site, String remedy) {
        problems.accept(new Problem(code, site.where(), "@Probe(\"" + site.breaker() + "\")", remedy));
    }
}
