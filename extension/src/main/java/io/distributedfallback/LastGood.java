package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Answers from the last good result for the same arguments, before any other fallback is asked. Beside
 * {@link DistributedFallback}, on the same method or class.
 *
 * <p>Each instance keeps the results of its own calls, in its memory. What is kept is a result that the primary
 * returned; never an exception, and never what a fallback answered.
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
     * How old a result may be to be an answer.
     *
     * @return a positive duration, 1 h by default
     */
    String maxAge() default "1h";
}
