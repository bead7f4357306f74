package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.core.Problem;
import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The guarded beans by their classes. Those that the deployment did not know, as instances that an
 * {@code InterceptionFactory} or a {@code RestClientBuilder} makes of a class that is no bean, are defined when a method
 * of theirs is called first.
 */
final class GuardedBeans {

    /** Where Weld, the container of all that serve Jakarta EE 10 with us, keeps the annotations that bind a call. */
    private static final String BINDINGS = "org.jboss.weld.interceptor.bindings";

    private final Map<Class<?>, GuardedBean> beans = new ConcurrentHashMap<>();
    private final Late late;

    GuardedBeans(Map<Class<?>, Map<Method, GuardedMethod>> methods, Late late) {
        methods.forEach((type, guarded) -> {
            beans.put(type, new Declared(Map.copyOf(guarded)));
        });
        this.late = late;
    }

    /** Defines a guard after the deployment. */
    @FunctionalInterface
    interface Late {
        /** Empty if the configuration switches the guard off. */
        Optional<GuardedMethod> define(GuardSite site, Consumer<Problem> problems);
    }

    GuardedBean of(Class<?> instance) {
        for (Class<?> type = instance; type != null; type = type.getSuperclass()) {
            GuardedBean guards = beans.get(type);
            if (guards != null) {
                return guards;
            }
        }
        // The proxy of a REST client has its interfaces only.
        GuardedBean guards = Proxy.isProxyClass(instance) ? ofAny(instance.getInterfaces()) : null;
        if (guards != null) {
            return guards;
        }
        return beans.computeIfAbsent(instance, type -> new Undeclared());
    }

    private GuardedBean ofAny(Class<?>[] interfaces) {
        for (Class<?> type : interfaces) {
            GuardedBean guards = beans.get(type);
            if (guards != null) {
                return guards;
            }
        }
        return null;
    }

    private static final class Declared extends GuardedBean {

        private final Map<Method, GuardedMethod> methods;

        Declared(Map<Method, GuardedMethod> methods) {
            this.methods = methods;
        }

        @Override
        GuardedMethod guardOf(Method method, InvocationContext call) {
            return methods.get(method);
        }
    }

    private final class Undeclared extends GuardedBean {

        private final Map<Method, Optional<GuardedMethod>> methods = new ConcurrentHashMap<>();

        @Override
        GuardedMethod guardOf(Method method, InvocationContext call) {
            return methods.computeIfAbsent(method, called -> define(called, call))
                    .orElse(null);
        }

        private Optional<GuardedMethod> define(Method method, InvocationContext call) {
            return siteOf(method, call).flatMap(site -> {
                List<Problem> problems = new ArrayList<>();
                Optional<GuardedMethod> guarded = late.define(site, problems::add);
                if (!problems.isEmpty()) {
                    throw new IllegalStateException(Problems.message(problems));
                }
                return guarded;
            });
        }
    }

    private static Optional<GuardSite> siteOf(Method method, InvocationContext call) {
        Class<?> owner = method.getDeclaringClass();
        DistributedFallback own = method.getAnnotation(DistributedFallback.class);
        Beside beside = Beside.of(AnnotatedMethods.asWritten(method), owner::getAnnotation);
        if (own != null) {
            return Optional.of(new GuardSite(
                    Optional.empty(), owner, method, own, Optional.empty(), AnnotatedMethods.keysOf(method), beside));
        }
        return Optional.ofNullable(owner.getAnnotation(DistributedFallback.class))
                .or(() -> bindingOf(call))
                .map(annotation -> new GuardSite(
                        Optional.empty(),
                        owner,
                        method,
                        annotation,
                        Optional.of(owner),
                        AnnotatedMethods.keysOf(method),
                        beside));
    }

    private static Optional<DistributedFallback> bindingOf(InvocationContext call) {
        return call.getContextData().get(BINDINGS) instanceof Collection<?> bindings
                ? bindings.stream()
                        .filter(DistributedFallback.class::isInstance)
                        .map(DistributedFallback.class::cast)
                        .findFirst()
                : Optional.empty();
    }
}
