package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.decorator.Decorator;
import jakarta.enterprise.inject.Alternative;
import jakarta.interceptor.Interceptor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds annotations that CDI looks past, so that they are not there in silence. */
final class IdleAnnotations {

    private final Predicate<Class<?>> reached;
    private final Set<Problem> warnings = new LinkedHashSet<>();

    /**
     * With what is known of classes.
     *
     * @param reached whether a class, or an interface of a REST client, is one of which methods are guarded
     */
    IdleAnnotations(Predicate<Class<?>> reached) {
        this.reached = reached;
    }

    /** Types that may have the annotation somewhere. */
    void lookAtTypes(Collection<Class<?>> annotated) {
        for (Class<?> type : annotated) {
            if (!type.isInterface() && !isReached(type) && isMadeByContainer(type) && isAnnotated(type)) {
                warn(
                        type.getName(),
                        "No bean has this class. Give it a scope; or, if a producer makes it, have the "
                                + "producer pass it through an InterceptionFactory<" + type.getSimpleName() + ">");
            }
            for (Class<?> ancestor = type; ancestor != null; ancestor = ancestor.getSuperclass()) {
                lookAtInterfaces(ancestor);
            }
        }
    }

    /** What producers make that CDI does not intercept, by the place of the producer. */
    void lookAtProducts(Map<String, Class<?>> products) {
        products.forEach((producer, type) -> {
            if (isAnnotated(type) && !type.isInterface()) {
                warn(
                        producer,
                        "CDI does not intercept what a producer returns. Let a producer method take an"
                                + " InterceptionFactory<" + type.getSimpleName()
                                + "> and return createInterceptedInstance(...)");
            }
        });
    }

    /** What a REST client, at least that of Open Liberty, does not see of its interface. */
    void lookAtClients(Collection<GuardSite> guards) {
        for (GuardSite site : guards) {
            if (!site.beanClass().isInterface()) {
                continue;
            }
            if (site.method().isDefault()) {
                warn(
                        site.where(),
                        "A REST client calls a default method past all interceptors. Annotate the method "
                                + "that it calls");
            } else if (site.method().getDeclaringClass() != site.beanClass()) {
                warn(
                        site.beanClass().getName() + "." + site.method().getName(),
                        "A REST client may call a method that its interface inherits past all interceptors. Declare it"
                                + " in the interface itself");
            } else if (site.onClass().isPresent() && !site.beanClass().isAnnotationPresent(DistributedFallback.class)) {
                warn(
                        site.beanClass().getName(),
                        "A REST client does not look into stereotypes. Put the annotation on "
                                + "the interface itself");
            }
        }
    }

    Collection<Problem> warnings() {
        return warnings;
    }

    private void lookAtInterfaces(Class<?> type) {
        if (type.isInterface() && !reached.test(type) && isAnnotatedInterface(type)) {
            warn(
                    type.getName(),
                    "CDI inherits no annotation from an interface, except on its default methods and on REST clients that are beans. "
                            + "Put it on the class that implements the interface");
        }
        Arrays.stream(type.getInterfaces()).forEach(this::lookAtInterfaces);
    }

    private static boolean isAnnotatedInterface(Class<?> type) {
        return type.isAnnotationPresent(DistributedFallback.class)
                || methodsOf(type)
                        .filter(method -> Modifier.isAbstract(method.getModifiers()))
                        .anyMatch(method -> method.isAnnotationPresent(DistributedFallback.class));
    }

    private static boolean isMadeByContainer(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers())
                && !type.isAnnotationPresent(Interceptor.class)
                // One that is not selected is meant to be idle.
                && !type.isAnnotationPresent(Alternative.class);
    }

    private boolean isReached(Class<?> type) {
        return reached.test(type) && !type.isAnnotationPresent(Decorator.class);
    }

    private static boolean isAnnotated(Class<?> type) {
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            if (owner.isAnnotationPresent(DistributedFallback.class)
                    || methodsOf(owner).anyMatch(method -> method.isAnnotationPresent(DistributedFallback.class))) {
                return true;
            }
        }
        return false;
    }

    private static Stream<Method> methodsOf(Class<?> type) {
        try {
            return Arrays.stream(type.getDeclaredMethods());
        } catch (LinkageError e) {
            // Of a library that names classes which are not there; whoever annotates has his own.
            return Stream.empty();
        }
    }

    private void warn(String where, String remedy) {
        warnings.add(new Problem(ProblemCode.DFB116, where, "@DistributedFallback", remedy));
    }
}
