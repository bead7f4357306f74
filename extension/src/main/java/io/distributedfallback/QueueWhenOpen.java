package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stores a call that can wait while the primary is out of reach, and makes it, at least once, when the breaker has
 * closed. Beside {@link DistributedFallback}, on a method that returns {@code void} or
 * {@code CompletionStage<Void>}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueueWhenOpen {}
