package io.distributedfallback.cdi;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import io.distributedfallback.config.DeclaredBreakers.Declared;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the beans of an application declare, as it stands in the code. */
final class Declarations {

    private static final Set<Class<? extends Annotation>> NOT_BUSINESS =
            Set.of(PostConstruct.class, PreDestroy.class, Inject.class, AroundInvoke.class);

    private final List<GuardSite> guards = new ArrayList<>();
    private final List<ProbeSite> probes = new ArrayList<>();
    private final List<Declared> policies = new ArrayList<>();

    /** A guarded method of a bean, and the annotation that guards it. */
    record GuardSite(Class<?> beanClass, Method method, DistributedFallback annotation, Optional<Class<?>> onClass) {

        String where() {
            return method.getDeclaringClass().getName() + "." + method.getName()
                    + onClass.map(type -> " (@DistributedFallback on " + type.getName() + ")")
                            .orElse("");
        }
    }

    /** A probe method of a bean. */
    record ProbeSite(Bean<?> bean, Method method, String breaker) {

        String where() {
            return method.getDeclaringClass().getName() + "." + method.getName();
        }
    }

    void add(Bean<?> bean, AnnotatedType<?> type, BeanManager beans) {
        Class<?> beanClass = type.getJavaClass();
        for (BreakerPolicy policy : type.getAnnotations(BreakerPolicy.class)) {
            policies.add(new Declared(policy, beanClass));
        }
        Optional<DistributedFallback> onClass = onClass(type.getAnnotations(), beans);
        for (AnnotatedMethod<?> method : type.getMethods()) {
            Method java = method.getJavaMember();
            if (isBridgeToAnother(java)) {
                continue;
            }
            Probe probe = method.getAnnotation(Probe.class);
            DistributedFallback own = isGuardedAndFinal(method)
                    ? java.getAnnotation(DistributedFallback.class)
                    : method.getAnnotation(DistributedFallback.class);
            if (probe != null) {
                probes.add(new ProbeSite(bean, java, probe.value()));
            }
            if (own != null) {
                guards.add(new GuardSite(beanClass, java, own, Optional.empty()));
            } else if (onClass.isPresent() && probe == null && isBusinessMethod(java)) {
                guards.add(new GuardSite(beanClass, java, onClass.get(), Optional.of(placeOf(beanClass))));
            }
        }
    }

    /** Whether the annotation stands on a method that no interceptor can reach because it is final. */
    static boolean isGuardedAndFinal(AnnotatedMethod<?> method) {
        Method java = method.getJavaMember();
        return Modifier.isFinal(java.getModifiers()) && java.isAnnotationPresent(DistributedFallback.class);
    }

    private static Optional<DistributedFallback> onClass(Collection<Annotation> annotations, BeanManager beans) {
        for (Annotation annotation : annotations) {
            if (annotation instanceof DistributedFallback own) {
                return Optional.of(own);
            }
        }
        return annotations.stream()
                .map(Annotation::annotationType)
                .filter(beans::isStereotype)
                .flatMap(stereotype -> onClass(beans.getStereotypeDefinition(stereotype), beans).stream())
                .findFirst();
    }

    /** What the container calls to make a bean or to end it goes round the interceptors. */
    private static boolean isBusinessMethod(Method method) {
        return method.getDeclaringClass() != Object.class
                && (!method.isSynthetic() || method.isBridge())
                && !Modifier.isStatic(method.getModifiers())
                && !Modifier.isPrivate(method.getModifiers())
                && NOT_BUSINESS.stream().noneMatch(method::isAnnotationPresent);
    }

    /**
     * Compilers copy the annotations of an overriding method to the bridge that leads to it from the erased signature.
     * Guarding that one too would ask for a fallback with the erased parameters. A bridge that makes a method of a hidden
     * superclass visible has no other to lead to in its class, and is the method that is called.
     */
    private static boolean isBridgeToAnother(Method method) {
        return method.isBridge()
                && Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
                        .anyMatch(other -> !other.isBridge() && isErasureOf(method, other));
    }

    private static boolean isErasureOf(Method bridge, Method method) {
        if (!bridge.getName().equals(method.getName())
                || bridge.getParameterCount() != method.getParameterCount()
                || !bridge.getReturnType().isAssignableFrom(method.getReturnType())) {
            return false;
        }
        for (int i = 0; i < bridge.getParameterCount(); i++) {
            if (!bridge.getParameterTypes()[i].isAssignableFrom(method.getParameterTypes()[i])) {
                return false;
            }
        }
        return true;
    }

    /** The class that carries the annotation: the bean's, or the ancestor that it was inherited from. */
    private static Class<?> placeOf(Class<?> beanClass) {
        for (Class<?> type = beanClass; type != null; type = type.getSuperclass()) {
            if (type.getDeclaredAnnotation(DistributedFallback.class) != null) {
                return type;
            }
        }
        return beanClass;
    }

    List<GuardSite> guards() {
        return guards;
    }

    List<ProbeSite> probes() {
        return probes;
    }

    List<Declared> policies() {
        return policies;
    }
}
