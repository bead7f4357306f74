package io.distributedfallback.it.app;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** The provider, as a MicroProfile REST client sees it. */
@RegisterRestClient(configKey = "provider")
@Path("provider")
public interface ProviderApi {

    @GET
    @Path("{path}")
    String ask(
            @PathParam("path") String path,
            @HeaderParam("X-Purpose") String purpose,
            @HeaderParam("X-Instance") String instance);
}
