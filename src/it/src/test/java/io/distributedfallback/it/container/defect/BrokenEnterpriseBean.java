package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.ejb.Stateless;

/** DFB102, on an EJB. */
@Stateless
public class BrokenEnterpriseBean {

    @DistributedFallback(breaker = "games", fallbackMethod = "nowhere")
    public String search() {
        return "";
    }
}
