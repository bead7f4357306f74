package io.distributedfallback.cdi;

import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Set;

/** What is known of EJBs without a need for their classes where there are none. */
final class EnterpriseBeans {

    private static final Set<String> KINDS =
            Set.of("jakarta.ejb.Stateless", "jakarta.ejb.Stateful", "jakarta.ejb.Singleton");

    private EnterpriseBeans() {}

    /** Whether the container of an EJB begins a transaction for a call, which it does outside of all interceptors. */
    static boolean haveTransaction(Class<?> bean, Method method) {
        for (Annotation annotation : bean.getAnnotations()) {
            if (KINDS.contains(annotation.annotationType().getName())) {
                return isContainers(bean, method);
            }
        }
        return false;
    }

    private static boolean isContainers(Class<?> bean, Method method) {
        TransactionManagement management = bean.getAnnotation(TransactionManagement.class);
        if (management != null && management.value() == TransactionManagementType.BEAN) {
            return false;
        }
        TransactionAttribute attribute = method.getAnnotation(TransactionAttribute.class);
        if (attribute == null) {
            attribute = method.getDeclaringClass().getAnnotation(TransactionAttribute.class);
        }
        return attribute == null
                || (attribute.value() != TransactionAttributeType.NOT_SUPPORTED
                        && attribute.value() != TransactionAttributeType.NEVER);
    }
}
