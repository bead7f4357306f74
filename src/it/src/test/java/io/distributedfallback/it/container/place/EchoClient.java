package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** A REST client with the annotation on its methods. */
@RegisterRestClient(configKey = "echo")
@Path("echo")
public interface EchoClient {

    @GET
    @Path("{word}")
    @Retry(maxRetries = 2, delay = 0, jitter = 0)
    @DistributedFallback(breaker = "echo", fallbackMethod = "instead")
    String say(@PathParam("word") String word);

    default String instead(String word, Throwable failure) {
        return word + " because of " + failure.getClass().getSimpleName();
    }

    @GET
    @Path("{word}")
    @DistributedFallback(breaker = "plain echo", fallbackMethod = "instead")
    String sayOnce(@PathParam("word") String word);

    @Probe("echo")
    default boolean probe() {
        return true;
    }

    @GET
    @Path("{word}")
    String unguarded(@PathParam("word") String word);

    @DistributedFallback(breaker = "default echo")
    default String byDefault(String word) {
        return word;
    }
}
