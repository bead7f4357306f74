package io.distributedfallback.it.container;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.QueueWhenOpen;
import jakarta.ejb.Stateless;
import jakarta.ejb.TransactionAttribute;
import jakarta.ejb.TransactionAttributeType;
import jakarta.inject.Inject;

/** An enterprise bean whose calls can wait. */
@Stateless
@TransactionAttribute(TransactionAttributeType.NOT_SUPPORTED)
public class PostOffice {

    @Inject
    Mailroom mailroom;

    @DistributedFallback(breaker = "post")
    @QueueWhenOpen
    public void frank(String letter) {
        mailroom.sent().add("franked " + letter);
    }
}
