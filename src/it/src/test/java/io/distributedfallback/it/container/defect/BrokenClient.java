package io.distributedfallback.it.container.defect;

import io.distributedfallback.DistributedFallback;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** DFB102, on the interface of a REST client. */
@RegisterRestClient(baseUri = "http://127.0.0.1:1")
@Path("provider")
public interface BrokenClient {

    @GET
    @DistributedFallback(breaker = "games", fallbackMethod = "nowhere")
    String search();
}
