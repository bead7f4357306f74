package io.distributedfallback.cdi;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.Probe;
import io.distributedfallback.config.DeclaredBreakers.Declared;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the beans of an application declare, as it stands in the code. */
final class Declarations {

    private static final Set<Class<? extends Annotation>> NOT_BUSINESS =
            Set.of(PostConstruct.class, PreDestroy.class, Inject.class, AroundInvoke.class);

    private final BeanManager beans;
    private final List<GuardSite> guards = new ArrayList<>();
    private final List<ProbeSite> probes = new ArrayList<>();
    private final List<Declared> policies = new ArrayList<>();
    private final List<KeySite> unguardedKeys = new ArrayList<>();
    private final List<BesideSite> unguardedBeside = new ArrayList<>();
    private final List<LimitSite> limitsAlone = new ArrayList<>();
    private final List<KeySite> unguardedQueues = new ArrayList<>();

    Declarations(BeanManager beans) {
        this.beans = beans;
    }

    /**
     * A guarded method, and the annotation that guards it.
     *
     * @param bean whose method it is; empty if a producer makes the instances
     * @param beanClass the class of the bean; the interface of a REST client
     * @param onClass the class that carries the annotation, if it does not stand on the method
     * @param keys the positions of the parameters that are keys, from 0
     * @param beside what stands beside the annotation
     */
    record GuardSite(
            Optional<Bean<?>> bean,
            Class<?> beanClass,
            Method method,
            DistributedFallback annotation,
            Optional<Class<?>> onClass,
            List<Integer> keys,
            Beside beside) {

        String where() {
            return method.getDeclaringClass().getName() + "." + method.getName() + origin();
        }

        /** Where the annotation holds: the method, or a whole class. */
        String place() {
            return onClass.isPresent() ? beanClass.getName() + origin() : where();
        }

        private String origin() {
            return onClass.map(type -> " (@DistributedFallback on " + type.getName() + ")")
                    .orElse("");
        }

        boolean isOf(Bean<?> other) {
            return bean.filter(other::equals).isPresent();
        }

        /** Of what tells sites apart; to hash an annotation takes long, at each deployment and for each method. */
        @Override
        public int hashCode() {
            return 31 * beanClass.hashCode() + method.hashCode();
        }
    }

    /** A method with a key, of a bean of which it is not guarded. */
    record KeySite(Class<?> beanClass, Method method) {}

    /** A method with what belongs beside a guard, of a bean of which it is not guarded. */
    record BesideSite(Class<?> beanClass, Method method, Beside beside) {}
    /**
     * A limit without a guard beside it.
     *
     * @param method empty if it stands on the class
     */
    record LimitSite(Class<?> beanClass, Optional<Method> method) {

        String where() {
            return method.map(guarded -> guarded.getDeclaringClass().getName() + "." + guarded.getName())
                    .orElse(beanClass.getName());
        }
    }

    /** A probe method of a bean. */
    record ProbeSite(Bean<?> bean, Method method, String breaker) {

        String where() {
            return method.getDeclaringClass().getName() + "." + method.getName();
        }
    }

    void add(Bean<?> bean, AnnotatedType<?> type) {
        for (BreakerPolicy policy : type.getAnnotations(BreakerPolicy.class)) {
            policies.add(new Declared(policy, type.getJavaClass()));
        }
        List<AnnotatedMethods.Declared> methods = AnnotatedMethods.of(type);
        for (AnnotatedMethods.Declared method : methods) {
            method.annotation(Probe.class)
                    .ifPresent(probe -> probes.add(new ProbeSite(bean, method.java(), probe.value())));
        }
        addGuards(Optional.of(bean), type, methods);
    }

    /** What guards the instances that a producer has intercepted. */
    void addProduced(AnnotatedType<?> type) {
        addGuards(Optional.empty(), type, AnnotatedMethods.of(type));
    }

    private void addGuards(Optional<Bean<?>> bean, AnnotatedType<?> type, List<AnnotatedMethods.Declared> methods) {
        Class<?> beanClass = type.getJavaClass();
        Optional<DistributedFallback> onClass = onClass(type);
        for (AnnotatedMethods.Declared method : methods) {
            Method java = method.java();
            Beside beside = Beside.of(method, type::getAnnotation);
            Optional<DistributedFallback> own = FinalPlaces.isUnreachable(java, beanClass)
                    ? Optional.ofNullable(java.getAnnotation(DistributedFallback.class))
                    : method.annotation(DistributedFallback.class);
            if (own.isPresent()) {
                guards.add(new GuardSite(bean, beanClass, java, own.get(), Optional.empty(), method.keys(), beside));
            } else if (onClass.isPresent() && isBusinessMethod(method, beanClass)) {
                guards.add(new GuardSite(
                        bean, beanClass, java, onClass.get(), Optional.of(placeOf(beanClass)), method.keys(), beside));
            } else if (beside.queue().isPresent()) {
                unguardedQueues.add(new KeySite(beanClass, java));
            } else {
                addUnguarded(method, beanClass);
                if (!beside.isNothing()) {
                    unguardedBeside.add(new BesideSite(beanClass, java, beside));
                }
            }
        }
        if (onClass.isEmpty() && type.isAnnotationPresent(FallbackLimit.class)) {
            limitsAlone.add(new LimitSite(beanClass, Optional.empty()));
        }
    }

    private void addUnguarded(AnnotatedMethods.Declared method, Class<?> beanClass) {
        if (!method.keys().isEmpty() && method.annotation(Probe.class).isEmpty()) {
            unguardedKeys.add(new KeySite(beanClass, method.java()));
        }
        if (method.annotation(FallbackLimit.class).isPresent()) {
            limitsAlone.add(new LimitSite(beanClass, Optional.of(method.java())));
        }
    }

    /** As it holds, or as it stands in the code if it was taken off because of something final. */
    private Optional<DistributedFallback> onClass(AnnotatedType<?> type) {
        return onClass(type.getAnnotations(), beans)
                .or(() -> FinalPlaces.isFinalFor(type)
                        ? onClass(List.of(type.getJavaClass().getAnnotations()), beans)
                        : Optional.empty());
    }

    static Optional<DistributedFallback> onClass(Collection<Annotation> annotations, BeanManager beans) {
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

    /** What the container calls to make or end a bean, and a REST client's default methods, go round the interceptors. */
    private static boolean isBusinessMethod(AnnotatedMethods.Declared method, Class<?> beanClass) {
        Method java = method.java();
        return !(beanClass.isInterface() && java.isDefault())
                && !Modifier.isStatic(java.getModifiers())
                && !Modifier.isPrivate(java.getModifiers())
                && method.annotation(Probe.class).isEmpty()
                && NOT_BUSINESS.stream()
                        .allMatch(type -> method.annotation(type).isEmpty());
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

    List<LimitSite> limitsAlone() {
        return limitsAlone;
    }

    /** Methods with a queue that nothing guards. */
    List<KeySite> unguardedQueues() {
        return unguardedQueues;
    }

    List<KeySite> unguardedKeys() {
        return unguardedKeys;
    }

    List<BesideSite> unguardedBeside() {
        return unguardedBeside;
    }
}
