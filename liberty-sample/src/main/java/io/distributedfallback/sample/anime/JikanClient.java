package io.distributedfallback.sample.anime;

import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** Jikan, https://docs.api.jikan.moe: open, without a key, and therefore now and then overrun. */
@RegisterRestClient(configKey = "jikan")
@Path("/v4/anime")
@Produces(MediaType.APPLICATION_JSON)
public interface JikanClient {

    @GET
    JsonObject search(@QueryParam("q") String query, @QueryParam("limit") int limit);

    @GET
    @Path("/{id}")
    JsonObject anime(@PathParam("id") int id);
}
