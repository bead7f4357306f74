package io.distributedfallback.cdi;

import io.distributedfallback.cdi.Declarations.GuardSite;
import io.distributedfallback.cdi.GuardedMethod.End;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

/**
 * What a guarded method returns, as far as it can be returned again.
 *
 * @param described the type in words
 * @param content its class; where a stage, a future or an Optional is returned, that of what is in it
 * @param isTaken whether it is a stage or a future that nothing can stand in for
 */
record ResultType(String described, Class<?> content, boolean isTaken) {

    /** Streams, readers, answers of HTTP clients and of databases are all to be closed, and are used up by then. */
    private static final Set<Class<?>> FOR_ONE_READER =
            Set.of(AutoCloseable.class, Iterator.class, Enumeration.class, Spliterator.class, Flow.Publisher.class);

    /** Others by their names: a server need not have them. */
    private static final Set<String> NAMED = Set.of("jakarta.ws.rs.core.Response", "org.reactivestreams.Publisher");

    static ResultType of(GuardSite site) {
        ResolvedTypes types = new ResolvedTypes(site.beanClass());
        Type declared = site.method().getGenericReturnType();
        Class<?> raw = types.raw(declared);
        boolean isTaken = End.of(raw) == End.RETURN
                && (CompletionStage.class.isAssignableFrom(raw) || Future.class.isAssignableFrom(raw));
        return new ResultType(types.describe(declared), content(declared, types), isTaken);
    }

    private static Class<?> content(Type declared, ResolvedTypes types) {
        Class<?> raw = types.raw(declared);
        boolean isAround = End.of(raw) != End.RETURN || raw == Optional.class;
        return isAround && declared instanceof ParameterizedType around
                ? content(around.getActualTypeArguments()[0], types)
                : raw;
    }

    /** Whether there is no value. */
    boolean isNothing() {
        return content == void.class || content == Void.class;
    }

    /** Whether only one caller can use it, once. */
    boolean isForOneReader() {
        return isTaken || isForOneReader(content);
    }

    private static boolean isForOneReader(Class<?> type) {
        return FOR_ONE_READER.stream().anyMatch(once -> once.isAssignableFrom(type)) || isNamed(type);
    }

    private static boolean isNamed(Class<?> type) {
        if (type == null) {
            return false;
        }
        if (NAMED.contains(type.getName()) || isNamed(type.getSuperclass())) {
            return true;
        }
        for (Class<?> above : type.getInterfaces()) {
            if (isNamed(above)) {
                return true;
            }
        }
        return false;
    }
}
