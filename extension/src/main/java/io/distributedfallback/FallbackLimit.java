package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Caps the calls that reach the fallback, so that it is not finished off by the load that the primary used to take.
 * Beside {@link DistributedFallback}, on the same method or class. A call over the cap gets a
 * {@link FallbackLimitedException} at once, or after {@link #maxWait()}.
 *
 * <p>In any time of {@code t} seconds no more than {@code value * t + burst} calls of the fallback begin; for
 * {@link Scope#CLUSTER}, where instances hold a few permits for a quarter of a second, no more than
 * {@code value * (t + 0.25 + r) + burst}, with {@code r} the seconds that the database takes to answer.
 *
 * <p>The fallback's own trouble keeps calls from it as well. After a 429, or a 503 with {@code Retry-After}, no call of it
 * begins until that time has passed (the policy's {@code cooldown} if none is named, {@code max-cooldown} at most); after
 * three failures in a row there is a pause of 1 s, doubling to 30 s, until it has answered again.
 *
 * <p>Each member can be overridden: {@code <class>/<method>/FallbackLimit/<member>}, then
 * {@code <class>/FallbackLimit/<member>}, then {@code FallbackLimit/<member>}; {@code enabled} switches it off.
 */
@Inherited
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface FallbackLimit {

    /**
     * How many calls of the fallback may begin in a second, on average.
     *
     * @return 1 to 1,000,000
     */
    int value();

    /**
     * Whose calls are counted together.
     *
     * @return by default those of one instance
     */
    Scope scope() default Scope.INSTANCE;

    /**
     * The limit's name. Methods that name the same limit share it, and must give it the same settings.
     *
     * @return 1 to 200 visible characters; by default the breaker's name
     */
    String name() default "";

    /**
     * How many calls may begin at once after a quiet time.
     *
     * @return 1 to 1,000,000, and for {@link Scope#CLUSTER} no fewer than the permits of a tenth of a second; 0, the
     *     default, is as many as those
     */
    int burst() default 0;

    /**
     * How many calls of the fallback may be under way on an instance, whatever the scope.
     *
     * @return 1 to 100,000; 0, the default, is any number
     */
    int maxConcurrent() default 0;

    /**
     * How long a call may wait for a permit and for its turn. One that would have to wait longer does not wait at all, as
     * far as that is known.
     *
     * @return a duration of 5 s at most; {@code off} by default
     */
    String maxWait() default "off";

    /** Whose calls are counted together. */
    enum Scope {
        /** Those of each instance for itself. */
        INSTANCE,
        /**
         * Those of all instances. Permits are handed out in blocks by the database, and only while calls go to the
         * fallback. With {@code store=memory}, which no other instance sees, it is as {@link #INSTANCE}.
         */
        CLUSTER
    }
}
