package io.distributedfallback;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a parameter part of the key under which {@link LastGood} keeps a result. Where a method has one or more of them,
 * the other parameters do not tell results apart; where it has none, all parameters do. A {@link BreakerKey} always tells
 * results apart: those of one tenant are never the answer to another.
 *
 * <p>Leave out what does not change the answer, as a trace id. What decides who may see an answer, as the user, belongs
 * into the key.
 *
 * <p>On a guarded method that has no {@link LastGood}, or on one that is not guarded, it is a definition error; on fallback
 * methods and backups it has no effect. As everywhere in CDI it is not inherited from an interface or from a method that is
 * overridden.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CacheKey {}
