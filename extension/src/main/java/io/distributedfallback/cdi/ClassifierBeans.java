package io.distributedfallback.cdi;

import io.distributedfallback.Classification;
import io.distributedfallback.FailureClassifier;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Prioritized;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The application's classifiers, in the order in which they are asked. */
final class ClassifierBeans {

    private ClassifierBeans() {}

    /** Those with a lower priority first, those with none last; among equals by the name of the class. */
    static List<FailureClassifier> inOrder(BeanManager beans) {
        return beans.getBeans(FailureClassifier.class, Any.Literal.INSTANCE).stream()
                .sorted(Comparator.<Bean<?>>comparingInt(ClassifierBeans::priority)
                        .thenComparing(bean -> bean.getBeanClass().getName()))
                .<FailureClassifier>map(bean -> new Lazy(bean, beans))
                .toList();
    }

    private static int priority(Bean<?> bean) {
        if (bean instanceof Prioritized prioritized) {
            return prioritized.getPriority();
        }
        Priority priority = bean.getBeanClass().getAnnotation(Priority.class);
        return priority == null ? Integer.MAX_VALUE : priority.value();
    }

    /** Created when the first failure is classified, and kept: nothing of the application runs while it starts. */
    private static final class Lazy implements FailureClassifier {

        private final Bean<?> bean;
        private final BeanManager beans;
        private FailureClassifier classifier;

        Lazy(Bean<?> bean, BeanManager beans) {
            this.bean = bean;
            this.beans = beans;
        }

        @Override
        public Optional<Classification> classify(Throwable failure) {
            return classifier().classify(failure);
        }

        private synchronized FailureClassifier classifier() {
            if (classifier == null) {
                classifier = (FailureClassifier)
                        beans.getReference(bean, FailureClassifier.class, beans.createCreationalContext(bean));
            }
            return classifier;
        }
    }
}
