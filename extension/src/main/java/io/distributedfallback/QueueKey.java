package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Stored calls of a method with the same value of this parameter, a customer's number for instance, are made in the order in
 * which they were stored, each when the one before has been made or is dead. A {@code null} is no key. On more than one
 * parameter, all values together are the key. For a text, a number, a constant, a {@code UUID}, or a date or time; of a method
 * with {@link QueueWhenOpen}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface QueueKey {}
