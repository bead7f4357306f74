package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stores a call that can wait while the primary is out of reach, and makes it, <b>at least once</b>, when the breaker has
 * closed. Beside {@link DistributedFallback}, which then names no other fallback, on a method of a bean that returns
 * {@code void} or {@code CompletionStage<Void>}.
 *
 * <p>A call is stored when the breaker keeps it away from the primary, and when the primary fails with a kind of failure
 * that uses a fallback. It becomes a row of {@code distributed_queued_call}, in the database of the breakers and in the
 * caller's transaction if there is one; the caller returns normally. If it cannot be stored, the caller gets the failure as
 * if this annotation were not there, with the reason as a suppressed exception.
 *
 * <p>A call that failed may have reached the provider all the same, and one that is made again may be made twice: the method
 * must bear that. {@link QueuedCall} has an id for it. Calls are made one after the other, in the order in which they were
 * stored, if they have the same {@link QueueKey}; no order is promised between others.
 *
 * <p>Each parameter must survive being written as JSON (JSON-B): the deployment fails if one cannot. Each member can be
 * overridden: {@code <class>/<method>/QueueWhenOpen/<member>}, then {@code <class>/QueueWhenOpen/<member>}, then
 * {@code QueueWhenOpen/<member>}; {@code enabled} switches it off.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueueWhenOpen {

    /**
     * After so many failed attempts a call is dead: it is kept, and not made any more unless an operator says so. A failure of
     * the kind {@link FailureKind#CALLER_ERROR} makes it so at once. The call that was stored does not count.
     *
     * @return 1 to 1000
     */
    int maxAttempts() default 10;

    /**
     * The pause after the first failed attempt. It doubles with each further one; up to half of it is taken off by chance.
     *
     * @return a positive duration, such as {@code 1s}
     */
    String backoff() default "1s";

    /**
     * The longest pause between two attempts.
     *
     * @return a positive duration, not shorter than {@link #backoff()}
     */
    String maxBackoff() default "5m";

    /**
     * A call that was stored longer ago is dead, and is not made.
     *
     * @return a positive duration
     */
    String maxAge() default "168h";

    /**
     * The most stored calls of this method in a second, of all instances together, so that a provider that has just come back
     * is not knocked over.
     *
     * @return 1 to 10000
     */
    int rate() default 10;
}
