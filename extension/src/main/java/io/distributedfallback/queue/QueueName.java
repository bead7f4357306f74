package io.distributedfallback.queue;

import java.util.Objects;

/**
 * Which queue: that of one method behind one breaker.
 *
 * @param breaker the breaker's name, as the application knows it
 * @param method the class of the bean, the method and the types of its parameters, as
 *     {@code com.example.Mails#send(java.lang.String)}; the same in each version of the application that has the method
 */
public record QueueName(String breaker, String method) {

    public QueueName {
        Objects.requireNonNull(breaker, "breaker");
        Objects.requireNonNull(method, "method");
    }
}
