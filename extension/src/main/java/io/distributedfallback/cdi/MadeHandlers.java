package io.distributedfallback.cdi;

import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.InjectionTarget;
import jakarta.inject.Inject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Handlers of a class that is no bean. */
final class MadeHandlers {

    private MadeHandlers() {}

    /**
     * An instance that is made, injected and destroyed for the call.
     *
     * @throws IllegalArgumentException with the reason if the class cannot be made, or not be injected
     */
    static <T> HandlerFallback.Source of(Class<T> type, BeanManager beans) {
        checkMakeable(type);
        InjectionTarget<T> maker;
        try {
            maker = beans.getInjectionTargetFactory(beans.createAnnotatedType(type))
                    .createInjectionTarget(null);
            maker.getInjectionPoints().forEach(beans::validate);
        } catch (RuntimeException e) { // each container has its own exceptions for what cannot be injected
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return use -> {
            CreationalContext<T> dependents = beans.createCreationalContext(null);
            T made;
            try {
                made = maker.produce(dependents);
                maker.inject(made, dependents);
                maker.postConstruct(made);
            } catch (Throwable e) {
                dependents.release();
                throw e;
            }
            return AnsweringBean.thenRelease(made, use, () -> {
                maker.preDestroy(made);
                maker.dispose(made);
                dependents.release();
            });
        };
    }

    private static void checkMakeable(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            throw new IllegalArgumentException("it is abstract");
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            throw new IllegalArgumentException("it is an inner class that is not static");
        }
        Constructor<?>[] constructors = type.getDeclaredConstructors();
        if (Arrays.stream(constructors)
                .noneMatch(constructor ->
                        constructor.getParameterCount() == 0 || constructor.isAnnotationPresent(Inject.class))) {
            throw new IllegalArgumentException("it has no constructor without parameters and none with @Inject");
        }
    }
}
