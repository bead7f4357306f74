package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives each value of a parameter of a guarded method a breaker of its own: a tenant, a region, a shard. The outage of
 * one opens the breaker of that one, on all instances; calls for the others go on to the primary.
 *
 * <p>The breaker of a call is then {@code <breaker>[<key>]}, where the key is {@link String#valueOf(Object)} of the
 * argument. It has its own row, count, state and recovery, and the policy, the probe and the classification of
 * {@code <breaker>}, which is what {@link BreakerPolicy}, {@link Probe} and the configuration name. Upper and lower case
 * differ.
 *
 * <p>No key makes a call fail:
 *
 * <ul>
 *   <li>null, and a key that is empty or blank, or whose {@code toString} throws: the breaker {@code <breaker>} itself.
 *   <li>A key that is longer than 64 characters, begins with {@code #}, or holds a bracket, a control character or an
 *       invisible one: {@code #} and the first 32 hexadecimal digits of the SHA-256 of its UTF-8 form stand in the name
 *       for it, on each instance the same.
 *   <li>A key that is new while the instance has {@code max-keys} of that breaker in memory, 1000 by default:
 *       {@code <breaker>} itself, until others have been idle for one or two minutes and make room.
 * </ul>
 *
 * <p>Exactly one parameter of a method may be a key, and no array. As everywhere in CDI the annotation is not inherited
 * from an interface that a class implements or from a method that is overridden; on the interface of a REST client it
 * holds. The key stands in the table, in logs and in events: let it be no secret.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BreakerKey {}
