package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The policy of a breaker, written beside the code that uses it. On any CDI bean; at most one for a breaker.
 *
 * <p>A member left at its default is taken from the configuration or from the default of the product. MicroProfile
 * Config outranks the annotation: {@code distributed-fallback.breaker.<name>.<key>} first, then
 * {@code distributed-fallback.default.<key>}. Durations are written in ISO-8601 ({@code PT15S}) or as a number with a
 * unit: {@code 250ms}, {@code 15s}, {@code 5m}, {@code 1h}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(BreakerPolicy.List.class)
public @interface BreakerPolicy {

    /**
     * The breaker.
     *
     * @return its name, as in {@link DistributedFallback#breaker()}
     */
    String breaker();

    /**
     * Key {@code failure-threshold}: how many consecutive failures, over all instances, open the breaker.
     *
     * @return 1 or more; 0 for the default, 3
     */
    int failureThreshold() default 0;

    /**
     * Key {@code failure-ratio}: the breaker opens also when this share of the calls of all instances in the
     * {@link #window()} has failed. For providers that fail now and then between calls that do well.
     *
     * @return a number above 0 and up to 1, such as {@code 0.5}, or {@code off}; empty for the default, {@code off}
     */
    String failureRatio() default "";

    /**
     * Key {@code window}: for how long calls are counted for {@link #failureRatio()}, from the failure that begins it.
     *
     * @return a positive duration; empty for the default, 60 s
     */
    String window() default "";

    /**
     * Key {@code minimum-calls}: with fewer calls in the window {@link #failureRatio()} does not open.
     *
     * @return 1 or more; 0 for the default, 20
     */
    int minimumCalls() default 0;

    /**
     * Key {@code quorum}: how many distinct instances must have failed for the breaker to open, whether by
     * {@link #failureThreshold()} or by {@link #failureRatio()}. With 2 or more, one instance that is sick itself cannot
     * take the provider away from the others; nor can a single instance, running alone, open at all.
     *
     * @return 1 or more; 0 for the default, 1
     */
    int quorum() default 0;

    /**
     * Key {@code slow-call}: a call that takes longer counts as a failure, at the moment when it is overdue and once;
     * what becomes of it later counts no more. The caller gets its answer all the same.
     *
     * @return a positive duration, or {@code off}; empty for the default, {@code off}
     */
    String slowCall() default "";

    /**
     * Key {@code probe-interval}: the time from a verdict, or from the opening, to the next probe.
     *
     * @return a positive duration; empty for the default, 15 s
     */
    String probeInterval() default "";

    /**
     * Key {@code probe-successes}: how many probes in a row must pass to close the breaker.
     *
     * @return 1 or more; 0 for the default: 3 with {@link Recovery#PROBE}, 1 with {@link Recovery#TRIAL}
     */
    int probeSuccesses() default 0;

    /**
     * Key {@code probe-lease}: how long an instance may hold the right to probe before another may take over.
     *
     * @return a duration longer than {@link #probeTimeout()}; empty for the default, 10 s
     */
    String probeLease() default "";

    /**
     * Key {@code probe-timeout}: a probe that runs longer is interrupted and has failed.
     *
     * @return a positive duration; empty for the default, 5 s
     */
    String probeTimeout() default "";

    /**
     * Key {@code probe-url}: an address that is asked with GET instead of a {@link Probe} method; 2xx and 3xx pass.
     *
     * @return an absolute http or https URL; empty for none
     */
    String probeUrl() default "";

    /**
     * Key {@code probe-trigger}: what wakes a probe that is due.
     *
     * @return {@link ProbeTrigger#TRAFFIC} by default
     */
    ProbeTrigger[] probeTrigger() default {};

    /**
     * Key {@code recovery}: how the breaker learns that the provider is back.
     *
     * @return by default {@link Recovery#PROBE} if there is a probe, else {@link Recovery#TRIAL}
     */
    Recovery[] recovery() default {};

    /**
     * Key {@code cooldown}: how long callers keep away from a provider that throttles without saying for how long.
     *
     * @return a positive duration, at most {@link #maxCooldown()}; empty for the default, 60 s
     */
    String cooldown() default "";

    /**
     * Key {@code max-cooldown}: the longest {@code Retry-After} that is obeyed; a longer one is cut to this.
     *
     * @return a positive duration; empty for the default, 1 h
     */
    String maxCooldown() default "";

    /**
     * Key {@code ramp-up}: after the breaker has closed, the share of calls that go to the primary grows linearly from none
     * to all over this time, the same on all instances, by the database's clock; the other calls go to the fallback, and
     * where there is none get a {@link BreakerOpenException}. The first failure among those let through opens again, if the
     * {@link #quorum()} allows it, and unless {@link #failureRatio()} is on.
     *
     * @return a positive duration, or {@code off}; empty for the default, {@code off}
     */
    String rampUp() default "";

    /**
     * Key {@code max-keys}: how many values of a {@link BreakerKey} may have a breaker of their own in the memory of one
     * instance. Calls with further ones share the breaker without a key until there is room.
     *
     * @return 1 or more; 0 for the default, 1000
     */
    int maxKeys() default 0;

    /**
     * Key {@code health}: what the breaker says about the readiness of an instance, in MicroProfile Health.
     *
     * @return {@link Health#UP} by default
     */
    Health[] health() default {};

    /** Holds several policies on one class. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface List {

        /**
         * The policies.
         *
         * @return one for each breaker
         */
        BreakerPolicy[] value();
    }
}
