package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import jakarta.annotation.Resource;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;

/** A stateless EJB without an interface. Its transactions are the container's. */
@Stateless
public class StatelessEcho {

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @DistributedFallback(breaker = "transactional", fallbackMethod = "instead")
    public String say(String word) {
        throw new IllegalStateException("down");
    }

    @TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
    @DistributedFallback(breaker = "stateless", fallbackMethod = "instead")
    public String sayWithoutTransaction(String word) {
        throw new IllegalStateException("down");
    }

    String instead(String word, Exception failure) {
        return word + " because of " + failure.getClass().getSimpleName() + " "
                + (transaction.getTransactionStatus() == Status.STATUS_ACTIVE ? "inside" : "outside");
    }
}
