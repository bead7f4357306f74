package io.distributedfallback.it.container;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.eclipse.microprofile.faulttolerance.Asynchronous;

/** Guarded methods that answer later, and fallbacks that tell what their thread knows of the application. */
@ApplicationScoped
@BreakerPolicy(breaker = "hanging", slowCall = "200ms")
@BreakerPolicy(breaker = "blocking", slowCall = "200ms")
public class Later {

    @Inject
    BeanManager beans;

    @DistributedFallback(breaker = "plain", fallbackMethod = "knowledgeLater")
    public CompletionStage<String> plain(CompletionStage<String> answer) {
        return answer;
    }

    @DistributedFallback(breaker = "asynchronous", fallbackMethod = "knowledgeLater")
    @Asynchronous
    public CompletionStage<String> asynchronous(CompletionStage<String> answer) {
        return answer;
    }

    CompletionStage<String> knowledgeLater(CompletionStage<String> answer) {
        return CompletableFuture.completedFuture(knowledge());
    }

    @DistributedFallback(breaker = "hanging")
    public CompletionStage<String> hanging() {
        return new CompletableFuture<>();
    }

    @DistributedFallback(breaker = "blocking")
    public boolean blocking(CountDownLatch until) throws InterruptedException {
        return until.await(20, TimeUnit.SECONDS);
    }

    /** What the current thread knows of the application. */
    String knowledge() {
        return (loadsClasses() ? "classes " : "")
                + (looksUpNames() ? "names " : "")
                + (servesRequest() ? "request" : "");
    }

    private static boolean loadsClasses() {
        try {
            return Class.forName(
                            Later.class.getName(), false, Thread.currentThread().getContextClassLoader())
                    == Later.class;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    @SuppressWarnings("BanJNDI") // a constant
    private static boolean looksUpNames() {
        try {
            return InitialContext.doLookup("java:app/AppName") != null
                    && InitialContext.doLookup("java:comp/DefaultDataSource") != null;
        } catch (NamingException e) {
            return false;
        }
    }

    private boolean servesRequest() {
        try {
            return beans.getContext(RequestScoped.class).isActive();
        } catch (ContextNotActiveException e) {
            return false;
        }
    }
}
