package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;

/** A singleton EJB that offers an interface only, and has another EJB for its backup. */
@Singleton
@Local(Echo.class)
@DistributedFallback(breaker = "singleton", backup = BackupEcho.class)
public class SingletonEcho implements Echo {

    @Override
    public String say(String word) {
        throw new IllegalStateException("down");
    }
}
