package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

/**
 * A second bean on which the same method is called.
 *
 * @param type the class of the bean, or what it is named by if a producer makes it
 */
record BackupFallback(AnsweringBean bean, Class<?> type, Method method) implements BoundFallback {

    @Override
    public Object answer(InvocationContext call, Supplier<? extends Throwable> failure) throws Throwable {
        return bean.answer(backup -> {
            try {
                return method.invoke(backup, call.getParameters());
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }
}
