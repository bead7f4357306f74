package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Caps the calls that reach the fallback, so that it is not finished off by the load that the primary used to take.
 * Beside {@link DistributedFallback}, on the same method or class.
 */
@Inherited
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface FallbackLimit {

    /**
     * How many calls of the fallback may begin in a second.
     *
     * @return 1 to 1,000,000
     */
    int value();
}
