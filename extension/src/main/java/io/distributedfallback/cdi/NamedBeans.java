package io.distributedfallback.cdi;

import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds the beans that members of annotations name by a class. */
final class NamedBeans {

    private final BeanManager beans;

    NamedBeans(BeanManager beans) {
        this.beans = beans;
    }

    /**
     * The bean, or all that it could be. Whatever its qualifiers are; an alternative stands for it as it does
     * everywhere, and among others the one whose class it is comes before those of subclasses.
     */
    Set<Bean<?>> of(Class<?> named) {
        Set<Bean<?>> candidates = beans.getBeans(named, Any.Literal.INSTANCE);
        if (candidates.isEmpty()) {
            candidates = withoutThatType(named);
        }
        if (candidates.size() < 2) {
            return candidates;
        }
        try {
            return Set.of(beans.resolve(candidates));
        } catch (AmbiguousResolutionException e) {
            Set<Bean<?>> exact = candidates.stream()
                    .filter(bean -> bean.getBeanClass() == named)
                    .collect(Collectors.toSet());
            return exact.size() == 1 ? exact : candidates;
        }
    }

    /** An EJB that offers its interfaces only, and a generic type that no raw one resolves to. */
    private Set<Bean<?>> withoutThatType(Class<?> named) {
        ResolvedTypes types = new ResolvedTypes(Object.class);
        return beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .filter(bean -> bean.getBeanClass() == named
                        || bean.getTypes().stream().anyMatch(type -> types.raw(type) == named))
                .collect(Collectors.toSet());
    }
}
