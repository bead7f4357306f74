package io.distributedfallback.benchmarks.call;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import io.distributedfallback.benchmarks.Server;
import io.distributedfallback.cdi.DistributedFallbackExtension;
import io.distributedfallback.cdi.DistributedFallbackInterceptor;
import io.smallrye.config.inject.ConfigExtension;
import io.smallrye.faulttolerance.FaultToleranceExtension;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Weld with what one contender needs. */
final class Container implements AutoCloseable {

    static final String BREAKER = "provider";

    private static final int MOST_ATTEMPTS = 600;

    private final WeldContainer weld;

    private Container(Weld settings) {
        weld = settings.initialize();
    }

    private static Weld empty(Class<?>... beans) {
        return new Weld().disableDiscovery().addBeanClasses(beans);
    }

    static Container with(Class<?>... beans) {
        return new Container(empty(beans));
    }

    /** Ours as a server has it: a database, a pool of threads, and the breakers' row in PostgreSQL. */
    static Container ofOurs(Class<?>... beans) {
        Server.start();
        Container container = new Container(empty(beans)
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(DistributedFallbackInterceptor.class));
        container.awaitStore();
        return container;
    }

    /** The way to the database is opened in the background, and what is measured are not the calls that wait for it. */
    private void awaitStore() {
        Breaker breaker = bean(Breakers.class).get(BREAKER);
        for (int i = 0; breaker.status().copyAge().isEmpty(); i++) {
            if (i == MOST_ATTEMPTS) {
                throw new IllegalStateException("the store has not been read");
            }
            ask(breaker);
        }
    }

    private static void ask(Breaker breaker) {
        try {
            Object unused = breaker.call(() -> "", () -> "");
            Thread.sleep(50);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static Container ofSmallRye(Class<?>... beans) {
        return new Container(
                empty(beans).addExtension(new ConfigExtension()).addExtension(new FaultToleranceExtension()));
    }

    <T> T bean(Class<T> type) {
        return weld.select(type).get();
    }

    /** The one bean that is asked; the container ends with it. */
    <T> Subject subject(Class<T> type, Question<T> question) {
        T bean = bean(type);
        return new Subject() {
            @Override
            public String ask(Provider provider) {
                return question.ask(bean, provider);
            }

            @Override
            public void close() {
                weld.close();
            }
        };
    }

    /** How a bean is asked. */
    @FunctionalInterface
    interface Question<T> {
        String ask(T bean, Provider provider);
    }

    @Override
    public void close() {
        weld.close();
    }
}
