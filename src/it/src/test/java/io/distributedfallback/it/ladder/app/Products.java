package io.distributedfallback.it.ladder.app;

import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.LastGood;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/**
 * The bean of the story. Redis answers; what it does not have is read from the database and put into it. While Redis is
 * away: the last good result, then the database under its limit, then nobody. A miss takes the same way, so that a Redis
 * that comes back empty is filled at the rate that the database bears.
 */
@ApplicationScoped
@BreakerPolicy(
        breaker = Products.BREAKER,
        probeInterval = "1s",
        probeSuccesses = 2,
        probeTimeout = "500ms",
        rampUp = Products.RAMP_UP)
public class Products {

    public static final String BREAKER = "redis";
    public static final String RAMP_UP = "6s";
    public static final String MAX_AGE = "5s";

    /** Queries a second for the whole cluster. */
    public static final int CAP = 100;

    @Inject
    Cache cache;

    @Inject
    Database database;

    @Inject
    Witness witness;

    @Inject
    Breakers breakers;

    @DistributedFallback(breaker = BREAKER, fallbackMethod = "fromDatabase")
    @LastGood(maxAge = MAX_AGE)
    @FallbackLimit(value = CAP, scope = FallbackLimit.Scope.CLUSTER)
    public String find(int id) {
        witness.asksRedis();
        String product = cache.get(id).orElseThrow(() -> new NotCached(id));
        witness.gotFrom(Outcome.REDIS);
        return product;
    }

    String fromDatabase(int id, Throwable why) throws Exception {
        witness.queries();
        String product = database.read(id);
        witness.gotFrom(Outcome.DATABASE);
        if (why instanceof NotCached) {
            fill(id, product);
        }
        return product;
    }

    /** Behind the same breaker: while Redis hangs nobody waits here either, and who has the product gets it. */
    private void fill(int id, String product) throws Exception {
        boolean unused = breakers.get(BREAKER)
                .call(
                        () -> {
                            cache.put(id, product);
                            return true;
                        },
                        () -> false);
    }

    @Probe(BREAKER)
    void ping() {
        cache.ping();
    }
}
