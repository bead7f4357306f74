package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Answers from the last good result for the same arguments, before any other fallback is asked. Beside
 * {@link DistributedFallback}, on the same method or class; on a class it holds for its guarded methods that return
 * something.
 *
 * <p>Each instance keeps the results of its own calls, in its memory. What is kept is a result that the primary
 * returned, null and an empty {@link java.util.Optional} as well; never an exception, and never what a fallback answered.
 * A result that took too long ({@code slow-call}) is a good one. Of two calls with the same arguments, the one that ends
 * last has the say. A method of a bean class has a cache of its own, and so has each overload.
 *
 * <p>The caller of {@link Breakers#get(String)} guards a call of any kind; results are kept of annotated methods only.
 *
 * <p>What may be returned:
 *
 * <ul>
 *   <li>An object: the same one is returned to all callers. Let it be one that nobody changes.
 *   <li>A {@link java.util.concurrent.CompletionStage} or {@link java.util.concurrent.CompletableFuture}: the value is
 *       kept when it completes, and each caller gets a completed stage of its own.
 *   <li>A {@link java.util.concurrent.Future}: the same, but a plain one tells nobody that it is done; its value is kept
 *       when somebody asks for it first.
 * </ul>
 *
 * <p>A method that returns nothing, or what only one caller can use ({@link AutoCloseable}, {@link java.util.Iterator} and
 * the like), is a definition error.
 *
 * <p>Arguments are told apart by {@code equals}; arrays, and the lists, sets and maps of the JDK, by what they hold, as it
 * was before the call. {@link CacheKey} leaves arguments out. Arguments whose {@code equals} or {@code hashCode} throws fail
 * no call: nothing is kept for them, and one line in the log says so.
 *
 * <p>Needs Caffeine ({@code com.github.ben-manes.caffeine:caffeine}) in the application, beside this library. Thread-safe.
 * The members can be overridden by MicroProfile Config as those of MicroProfile Fault Tolerance:
 * {@code <class>/<method>/LastGood/<member>}, {@code <class>/LastGood/<member>}, {@code LastGood/<member>}; {@code
 * enabled=false} takes the annotation away.
 */
@Inherited
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LastGood {

    /**
     * How many results are kept for the method on an instance; of more, those go that are used least.
     *
     * @return 1 to 1,000,000; 1000 by default
     */
    int maxEntries() default 1000;

    /**
     * How old a result may be to be an answer, from when the primary returned it. An older one is none.
     *
     * @return a duration as {@code 250ms}, {@code 15s}, {@code 5m}, {@code 1h} or ISO-8601, 1 ms to 365 days; 1 h by default
     */
    String maxAge() default "1h";
}
