package io.distributedfallback.it.container;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.QueueKey;
import io.distributedfallback.QueueWhenOpen;
import io.distributedfallback.QueuedCall;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Sends letters, which can wait. */
@ApplicationScoped
public class Mailroom {

    /** What a letter is made of. */
    public record Letter(String to, List<Integer> pages) {}

    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    private volatile boolean down;

    @Inject
    QueuedCall queued;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @DistributedFallback(breaker = "post")
    @QueueWhenOpen
    public void send(@QueueKey String customer, Letter letter) {
        go(customer + " " + letter);
    }

    @Transactional(TxType.REQUIRED)
    @DistributedFallback(breaker = "register")
    @QueueWhenOpen
    public void register(String text) {
        go(text);
    }

    private void go(String text) {
        if (down) {
            throw new IllegalStateException("the provider is down");
        }
        sent.add(text + ", attempt " + queued.attempt() + ", transaction " + transaction.getTransactionStatus());
    }

    void down(boolean isDown) {
        down = isDown;
    }

    BlockingQueue<String> sent() {
        return sent;
    }
}
