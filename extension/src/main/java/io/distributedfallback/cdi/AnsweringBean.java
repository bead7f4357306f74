package io.distributedfallback.cdi;

import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A bean that answers for others: of a normal scope had once, of any other for each call. */
final class AnsweringBean {

    private final Bean<?> bean;
    private final Type type;
    private final BeanManager beans;

    /** The proxy of a bean of a normal scope; making it makes no instance yet. */
    private final Optional<Object> proxy;

    /**
     * Finds the type by which the bean can be called.
     *
     * @param declaring the class or interface that declares the methods to be called
     * @throws IllegalArgumentException with the reason if the bean cannot be called by any
     */
    AnsweringBean(Bean<?> bean, Class<?> declaring, BeanManager beans) {
        this.bean = bean;
        this.beans = beans;
        this.type = typeFor(bean, declaring)
                .orElseThrow(() -> new IllegalArgumentException(
                        "none of its bean types has the methods of " + declaring.getName()));
        try {
            this.proxy = beans.isNormalScope(bean.getScope())
                    ? Optional.of(beans.getReference(bean, type, beans.createCreationalContext(bean)))
                    : Optional.empty();
        } catch (RuntimeException e) { // each container has its own exception for what has no proxy
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The type of a bean by which methods of a class can be called; an EJB may offer interfaces only. */
    static Optional<Type> typeFor(Bean<?> bean, Class<?> declaring) {
        ResolvedTypes types = new ResolvedTypes(Object.class);
        return bean.getTypes().stream()
                .filter(type -> types.raw(type) == declaring)
                .findFirst()
                .or(() -> bean.getTypes().stream()
                        .filter(type -> declaring.isAssignableFrom(types.raw(type)))
                        .findFirst());
    }

    Bean<?> bean() {
        return bean;
    }

    /** What is done with the bean. */
    @FunctionalInterface
    interface Use {
        Object of(Object instance) throws Throwable;
    }

    Object answer(Use use) throws Throwable {
        if (proxy.isPresent()) {
            return use.of(proxy.get());
        }
        CreationalContext<?> dependents = beans.createCreationalContext(bean);
        Object instance = beans.getReference(bean, type, dependents);
        return bean.getScope() == Dependent.class ? thenRelease(instance, use, dependents::release) : use.of(instance);
    }

    /**
     * Uses what was made for the call, and lets go of it after that; if a stage is the answer, when that completes. The
     * caller gets the very stage, so that it can cancel it, and one of the type that the method promises.
     */
    static Object thenRelease(Object instance, Use use, Runnable release) throws Throwable {
        Object answer;
        try {
            answer = use.of(instance);
        } catch (Throwable e) {
            release.run();
            throw e;
        }
        if (answer instanceof CompletionStage<?> stage) {
            var unused = stage.whenComplete((value, failure) -> release.run());
            return answer;
        }
        release.run();
        return answer;
    }
}
