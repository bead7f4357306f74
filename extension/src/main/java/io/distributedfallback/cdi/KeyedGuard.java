package io.distributedfallback.cdi;

import io.distributedfallback.core.Guard;
import io.distributedfallback.core.KeyedBreakers;
import jakarta.interceptor.InvocationContext;

/**
 * Chooses what stands before a call by one of its arguments.
 *
 * @param breakers those of the keys
 * @param position of the parameter that is the key, from 0
 */
record KeyedGuard(KeyedBreakers breakers, int position) {

    Guard of(InvocationContext call) {
        return breakers.of(call.getParameters()[position]);
    }
}
