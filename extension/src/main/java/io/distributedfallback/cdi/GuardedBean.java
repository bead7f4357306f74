package io.distributedfallback.cdi;

import jakarta.interceptor.InvocationContext;
import java.lang.reflect.Method;
import java.util.Arrays;

/**
 * The guarded methods of one bean class. A container has one object for a method and shows it with each call, so that
 * what guards it is found by a glance along a short list; to look a method up in a map takes longer than the rest of a
 * healthy call.
 */
abstract class GuardedBean {

    /** Longer than the list of any bean's methods that makes sense; beyond it, the map serves. */
    private static final int MOST = 32;

    private volatile Known[] known = {};

    /** What guards a method, or null. */
    abstract GuardedMethod guardOf(Method method, InvocationContext call);

    /** Makes a call, guarded if its method is. */
    final Object call(InvocationContext call) throws Exception {
        GuardedMethod guard = find(call.getMethod(), call);
        return guard == null ? call.proceed() : guard.call(call);
    }

    @SuppressWarnings("ReferenceEquality") // one that is equal and another object is learnt as well
    private GuardedMethod find(Method method, InvocationContext call) {
        for (Known seen : known) {
            if (seen.method == method) {
                return seen.guard;
            }
        }
        return learn(method, guardOf(method, call));
    }

    /** Two threads may learn at once; what one of them forgets is learnt again. */
    private GuardedMethod learn(Method method, GuardedMethod guard) {
        Known[] before = known;
        if (before.length < MOST) {
            Known[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = new Known(method, guard);
            known = after;
        }
        return guard;
    }

    private static final class Known {
        private final Method method;
        private final GuardedMethod guard;

        Known(Method method, GuardedMethod guard) {
            this.method = method;
            this.guard = guard;
        }
    }
}
