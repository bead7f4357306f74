package io.distributedfallback;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/**
 * Guards a method with a circuit breaker that all instances of the application share, and answers from a fallback
 * while the breaker keeps callers away from the primary.
 *
 * <p>On a method it guards that method; on a class, each business method of the class except those that carry
 * {@link Probe} and those that are the {@link #fallbackMethod()} of another. An annotation on the method replaces the
 * one on the class. It is inherited by subclasses, and a stereotype may carry it. Calls that a bean makes to itself are
 * not intercepted (Jakarta Interceptors 2.1, section 2.6); use
 * {@link Breaker#call(java.util.concurrent.Callable, java.util.concurrent.Callable)} there.
 *
 * <p>The interceptor runs at priority 100, outside {@code @Transactional} (200) and outside the annotations of
 * MicroProfile Fault Tolerance (4010): a transaction that the method began is over before the fallback runs,
 * rolled back if Jakarta Transactions says so, and one logical call, after its retries, is one outcome. MicroProfile's own {@code @Fallback} on the same method would
 * swallow the failures before they are seen and is a definition error.
 *
 * <p>The outcome of a method that is declared to return {@link java.util.concurrent.CompletionStage} or
 * {@link java.util.concurrent.CompletableFuture} is that of the stage; of one that is declared to return
 * {@link java.util.concurrent.Future}, that of the future when it is asked. The fallback returns the same type. After a
 * stage has failed it runs on a managed thread, with the class loader, the naming context and the identity of the caller,
 * a request context of its own, and no transaction.
 *
 * <p>If the fallback fails as well, the caller gets the exception of the primary, with that of the fallback as a
 * suppressed exception. With none of {@link #fallbackMethod()}, {@link #value()} and {@link #backup()}, a call that the breaker keeps from
 * the primary ends in a {@link BreakerOpenException}.
 *
 * <p>Each member can be overridden in MicroProfile Config, most specific first:
 * {@code <class>/<method>/DistributedFallback/<member>} (for an annotation on a method),
 * {@code <class>/DistributedFallback/<member>} (for one on a class), {@code DistributedFallback/<member>}. A further
 * key, {@code enabled}, switches the annotation off there; the method is then called as if it were not annotated.
 */
@InterceptorBinding
@Inherited
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface DistributedFallback {

    /**
     * The breaker's name: 1 to 200 characters, case-sensitive, the last of them no {@code ]}. Methods that name the same
     * breaker share it. With a {@link BreakerKey} on a parameter each value of that has a breaker of its own, and the name has
     * 134 characters at most.
     *
     * @return the name; by default the name of the annotated class, followed by {@code /} and the method's name if the
     *     annotation stands on a method
     */
    @Nonbinding
    String breaker() default "";

    /**
     * The method that answers instead, found by the rules of MicroProfile Fault Tolerance 4.1, section 6.2: on the same
     * class, a superclass or an interface, accessible from the class, with the same parameters and a compatible
     * return type. It may take one parameter more, a {@link Throwable}, at the end: the failure of the primary, or a
     * {@link BreakerOpenException} if the primary was not asked. Excludes {@link #value()} and {@link #backup()}.
     *
     * @return the name of the method; empty for none
     */
    @Nonbinding
    String fallbackMethod() default "";

    /**
     * The handler that answers instead: a CDI bean in its scope, or else a class that CDI can make, of which an instance
     * is made, injected and destroyed for the call. It gets an {@link ExecutionContext} with the method, its parameters
     * and the failure. Excludes {@link #fallbackMethod()} and {@link #backup()}.
     *
     * @return the class of the handler; {@link NoHandler} for none
     */
    @Nonbinding
    Class<? extends FallbackHandler<?>> value() default NoHandler.class;

    /**
     * A second bean, or more of them, that answers instead: the same method is called on it. Both must have a type, an interface or a
     * class, that declares the method. The bean is found by its class whatever its qualifiers are; its own interceptors
     * apply, so it may be guarded by a breaker of its own and, alone or the last, have a backup in its turn. A bean of a normal scope is had
     * once; a {@code @Dependent} one is made for each call and destroyed after it, when a stage that it returned
     * has completed. Excludes {@link #fallbackMethod()} and {@link #value()}.
     *
     * <p>Several are asked in their order, each only if those before it are kept from callers by their breakers or have
     * failed; the first answer is the caller's. Each but the last must be guarded by a breaker of its own on this method, and
     * must have nothing that answers instead of it: that is what the ones after it are for. So one that is down costs one
     * look at its breaker, and is not tried, except as the trial of a breaker without a probe. The last may be
     * unguarded: it is the last resort. If one fails in a way that does not use the fallback (see {@link FailureKind}) by
     * its own {@link #failOn()} and {@link #skipOn()}, the ones after it are not asked. If none answers, the caller gets the
     * exception of the primary, with those of the backups as suppressed exceptions in their order; if the primary was
     * not asked, that of the backup asked last, with those before it suppressed.
     *
     * <p>On a class this is the decorator form: callers inject the interface. So that it is not ambiguous there, give the
     * backup a qualifier, or restrict its types to its class with {@link jakarta.enterprise.inject.Typed}. A business
     * method that the backup does not have goes straight to the primary: no breaker is asked, and its outcome is not
     * counted; a warning names it at deployment. One of several that does not have the method is passed over, with a warning
     * as well. On a method, a backup that does not have it is a definition error.
     *
     * @return the classes of the beans, or interfaces that only one other bean has each; by default none
     */
    @Nonbinding
    Class<?>[] backup() default {};

    /**
     * The exceptions that may count. One that is an instance of none of these is taken for the caller's error: it is
     * rethrown and counts neither as a failure nor as a success. {@link #skipOn()} takes precedence.
     *
     * @return the types, {@link Throwable} by default
     */
    @Nonbinding
    Class<? extends Throwable>[] failOn() default {Throwable.class};

    /**
     * The exceptions that are the caller's error whatever else is known of them: rethrown, and counted neither as a
     * failure nor as a success.
     *
     * @return the types, none by default
     */
    @Nonbinding
    Class<? extends Throwable>[] skipOn() default {};

    /** Stands for "no handler"; is never called. */
    final class NoHandler implements FallbackHandler<Object> {

        private NoHandler() {}

        @Override
        public Object handle(ExecutionContext context) {
            throw new UnsupportedOperationException("NoHandler stands for the absence of a handler");
        }
    }
}
