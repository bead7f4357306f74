package io.distributedfallback.it.container.kiosk;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.LastGood;
import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** What several providers offer, until they all go down. */
@ApplicationScoped
public class Kiosk {

    private final AtomicBoolean down = new AtomicBoolean();

    @Resource
    private ManagedExecutorService executor;

    @LastGood
    @DistributedFallback(breaker = "papers", fallbackMethod = "yesterdays")
    public String paper(String title) {
        return answer(title + " of today");
    }

    String yesterdays(String title) {
        return title + " of yesterday";
    }

    @LastGood
    @DistributedFallback(breaker = "maps & plans", fallbackMethod = "old")
    public CompletionStage<String> map(String of) {
        return executor.supplyAsync(() -> answer("map of " + of));
    }

    CompletionStage<String> old(String of) {
        return CompletableFuture.completedFuture("old map of " + of);
    }

    @DistributedFallback(breaker = "tickets")
    public String ticket() {
        return answer("ticket");
    }

    private String answer(String answer) {
        if (down.get()) {
            throw new IllegalStateException("the provider is down");
        }
        return answer;
    }

    /** All providers go down. */
    public void goDown() {
        down.set(true);
    }
}
