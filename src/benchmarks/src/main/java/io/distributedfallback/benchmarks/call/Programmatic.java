package io.distributedfallback.benchmarks.call;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;

/** Ours, without an annotation. */
final class Programmatic implements Subject {

    private final Container container = Container.ofOurs();
    private final Breaker breaker = container.bean(Breakers.class).get(Container.BREAKER);

    @Override
    public String ask(Provider provider) throws Exception {
        return breaker.call(provider::answer, provider::answerInstead);
    }

    @Override
    public void close() {
        container.close();
    }
}
