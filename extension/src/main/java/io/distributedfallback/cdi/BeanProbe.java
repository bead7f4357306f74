package io.distributedfallback.cdi;

import io.distributedfallback.core.ProbeCall;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;

/** A {@code @Probe} method, called on its bean in a request context of its own. */
final class BeanProbe implements ProbeCall {

    private final Bean<?> bean;
    private final Method method;
    private final Type type;
    private final BeanManager beans;

    BeanProbe(Bean<?> bean, Method method, BeanManager beans) {
        this.bean = bean;
        this.method = method;
        this.type = AnsweringBean.typeFor(bean, method.getDeclaringClass()).orElse(method.getDeclaringClass());
        this.beans = beans;
        method.setAccessible(true);
    }

    @Override
    public boolean passes() throws Exception {
        return passes(null);
    }

    @Override
    public ProbeCall forKey(String key) {
        return takesKey(method) ? () -> passes(key) : this;
    }

    /** Whether a probe wants to know which key it asks for. */
    static boolean takesKey(Method probe) {
        return probe.getParameterCount() == 1 && probe.getParameterTypes()[0] == String.class;
    }

    private boolean passes(String key) throws Exception {
        RequestContextController request =
                beans.createInstance().select(RequestContextController.class).get();
        boolean activated = request.activate();
        CreationalContext<?> dependents = beans.createCreationalContext(bean);
        try {
            Object instance = beans.getReference(bean, type, dependents);
            Object answer = takesKey(method) ? method.invoke(instance, key) : method.invoke(instance);
            return !Boolean.FALSE.equals(answer);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception thrown ? thrown : e;
        } finally {
            dependents.release();
            if (activated) {
                request.deactivate();
            }
        }
    }
}
