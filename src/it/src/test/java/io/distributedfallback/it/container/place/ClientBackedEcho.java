package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;

/** A bean that a REST client backs, which is guarded itself. */
@ApplicationScoped
@Typed(ClientBackedEcho.class)
@DistributedFallback(breaker = "client backed", backup = WholeEchoClient.class)
public class ClientBackedEcho implements Echo {

    @Override
    public String say(String word) {
        throw new IllegalStateException("down");
    }
}
