package io.distributedfallback.it.server.app;

import io.distributedfallback.BreakerKey;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.Probe;
import io.distributedfallback.QueueWhenOpen;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A guarded method for each thing that can stand beside a breaker. */
@ApplicationScoped
public class Desk {

    @Inject
    Trade trade;

    @Inject
    Breakers breakers;

    @DistributedFallback(breaker = "plain", fallbackMethod = "spare")
    public String plain() {
        return trade.ask();
    }

    @Probe("plain")
    void probePlain() {
        trade.probe();
    }

    @DistributedFallback(breaker = "kept", fallbackMethod = "spareFor")
    @LastGood
    public String kept(String name) {
        return trade.ask();
    }

    @DistributedFallback(breaker = "limited", fallbackMethod = "spare")
    @FallbackLimit(value = 100_000, scope = FallbackLimit.Scope.CLUSTER, maxConcurrent = 50)
    public String limited() {
        return trade.ask();
    }

    @DistributedFallback(breaker = "queued")
    @QueueWhenOpen(maxAge = "2s")
    public void queued(String letter) {
        String unused = trade.ask();
    }

    @DistributedFallback(breaker = "keyed", fallbackMethod = "spareFor")
    public String keyed(@BreakerKey String tenant) {
        return trade.ask();
    }

    /** Guarded without an annotation. Its probe is hours away, so it stays open for as long as the test takes. */
    public String byHand() throws Exception {
        return breakers.get("byHand").call(trade::ask, this::spare);
    }

    /** The provider answers on another thread, after a while, whatever becomes of the application. */
    @DistributedFallback(breaker = "later", fallbackMethod = "spareLater")
    public CompletionStage<String> later(long millis) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread provider = new Thread(() -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            answer.complete("primary");
        });
        provider.setDaemon(true);
        provider.start();
        return answer;
    }

    CompletionStage<String> spareLater(long millis) {
        return CompletableFuture.completedFuture("fallback");
    }

    String spareFor(String name) {
        return "fallback";
    }

    String spare() {
        return "fallback";
    }
}
