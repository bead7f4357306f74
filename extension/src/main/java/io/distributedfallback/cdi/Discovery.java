package io.distributedfallback.cdi;

import io.distributedfallback.core.Problem;
import jakarta.decorator.Decorator;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.AnnotatedMember;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.interceptor.Interceptor;
import java.lang.reflect.Member;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the container comes upon in an application, event by event. */
final class Discovery {

    private final BeanManager beans;
    private final Declarations declarations;
    private final Set<Class<?>> annotated = new LinkedHashSet<>();
    private final Set<Class<?>> intercepted = new LinkedHashSet<>();
    private final Map<String, Class<?>> products = new TreeMap<>();

    Discovery(BeanManager beans) {
        this.beans = beans;
        this.declarations = new Declarations(beans);
    }

    /** A type that has an annotation of ours somewhere. */
    void type(ProcessAnnotatedType<?> event) {
        annotated.add(event.getAnnotatedType().getJavaClass());
        FinalPlaces.uncover(event, beans);
    }

    /** A bean that is a class. */
    void bean(Bean<?> bean, AnnotatedType<?> type) {
        // An interceptor carries the annotations that it is bound to, and guards nothing of its own.
        if (!type.isAnnotationPresent(Interceptor.class) && !type.isAnnotationPresent(Decorator.class)) {
            intercepted.add(type.getJavaClass());
            declarations.add(bean, type);
        }
    }

    /** A method that makes a bean. */
    void producer(AnnotatedMethod<?> producer) {
        Optional<Class<?>> made = producer.getParameters().stream()
                .map(parameter -> interceptedBy(parameter.getBaseType()))
                .flatMap(Optional::stream)
                .findFirst();
        if (made.isEmpty()) {
            product(producer);
        } else if (intercepted.add(made.get())) {
            declarations.addProduced(beans.createAnnotatedType(made.get()));
        }
    }

    /** A producer that returns what it makes as it is. */
    void product(AnnotatedMember<?> producer) {
        Member member = producer.getJavaMember();
        products.put(
                member.getDeclaringClass().getName() + "." + member.getName(),
                new ResolvedTypes(producer.getDeclaringType().getJavaClass()).raw(producer.getBaseType()));
    }

    private static Optional<Class<?>> interceptedBy(Type parameter) {
        return parameter instanceof ParameterizedType parameterized
                        && parameterized.getRawType() == InterceptionFactory.class
                ? Optional.of(new ResolvedTypes(Object.class).raw(parameterized.getActualTypeArguments()[0]))
                : Optional.empty();
    }

    /** All that is declared. Only when all beans are known can the interfaces of REST clients be told from others. */
    Declarations declarations() {
        for (Class<?> type : annotated) {
            if (type.isInterface()) {
                clientOf(type).ifPresent(bean -> {
                    intercepted.add(type);
                    declarations.add(bean, beans.createAnnotatedType(type));
                });
            }
        }
        return declarations;
    }

    /** The bean of an interface that no class implements for it: the proxy of a REST client. */
    private Optional<Bean<?>> clientOf(Class<?> type) {
        return beans.getBeans(type, Any.Literal.INSTANCE).stream()
                .filter(bean -> bean.getBeanClass() == type)
                .findFirst();
    }

    /** Annotations that have no effect. */
    Collection<Problem> idleAnnotations() {
        Set<Class<?>> types = new LinkedHashSet<>(annotated);
        types.addAll(intercepted);
        IdleAnnotations idle = new IdleAnnotations(this::isIntercepted);
        idle.lookAtTypes(types);
        idle.lookAtProducts(products);
        idle.lookAtClients(declarations.guards());
        return idle.warnings();
    }

    private boolean isIntercepted(Class<?> type) {
        return intercepted.contains(type)
                || (!type.isInterface() && intercepted.stream().anyMatch(type::isAssignableFrom));
    }
}
