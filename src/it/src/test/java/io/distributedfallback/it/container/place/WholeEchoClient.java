package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** A REST client with the annotation on the interface, which inherits its method; a bean of the application backs it. */
@RegisterRestClient(configKey = "echo")
@Path("echo")
@DistributedFallback(breaker = "whole echo", backup = LocalEcho.class)
public interface WholeEchoClient extends Echo {

    @Override
    @GET
    @Path("{word}")
    String say(@PathParam("word") String word);

    @GET
    @Path("own/{word}")
    @DistributedFallback(breaker = "own echo")
    String own(@PathParam("word") String word);
}
