package io.distributedfallback.cdi;

import io.distributedfallback.CacheKey;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.QueueKey;
import io.distributedfallback.QueueWhenOpen;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What stands beside {@code @DistributedFallback}: each on the method, or else on its class.
 *
 * @param lastGood the rung of kept results
 * @param limit the cap on what is below
 * @param queue the store of calls that can wait
 * @param cacheKeys the positions of the parameters that tell kept results apart, from 0
 * @param queueKeys the positions of the parameters that keep stored calls in order, from 0
 */
record Beside(
        Optional<LastGood> lastGood,
        Optional<FallbackLimit> limit,
        Optional<QueueWhenOpen> queue,
        List<Integer> cacheKeys,
        List<Integer> queueKeys) {

    /** @param onClass the annotations of the class */
    static Beside of(AnnotatedMethods.Declared method, Function<Class<? extends Annotation>, Annotation> onClass) {
        return new Beside(
                find(LastGood.class, method, onClass),
                find(FallbackLimit.class, method, onClass),
                method.annotation(QueueWhenOpen.class),
                method.marked(CacheKey.class),
                method.marked(QueueKey.class));
    }

    boolean isNothing() {
        return lastGood.isEmpty() && limit.isEmpty() && queue.isEmpty() && cacheKeys.isEmpty() && queueKeys.isEmpty();
    }

    private static <A extends Annotation> Optional<A> find(
            Class<A> type,
            AnnotatedMethods.Declared method,
            Function<Class<? extends Annotation>, Annotation> onClass) {
        return method.annotation(type).or(() -> Optional.ofNullable(type.cast(onClass.apply(type))));
    }
}
