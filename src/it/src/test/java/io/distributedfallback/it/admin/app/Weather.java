package io.distributedfallback.it.admin.app;

import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;

/** Declares a breaker. */
@ApplicationScoped
public class Weather {

    @DistributedFallback(breaker = "weather", fallbackMethod = "yesterdays")
    public String todays() {
        return "rain";
    }

    String yesterdays() {
        return "sun";
    }
}
