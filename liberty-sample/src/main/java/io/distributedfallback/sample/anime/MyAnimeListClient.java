package io.distributedfallback.sample.anime;

import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** MyAnimeList, https://myanimelist.net/apiconfig/references/api/v2. */
@RegisterRestClient(configKey = "mal")
@Path("/v2/anime")
@Produces(MediaType.APPLICATION_JSON)
public interface MyAnimeListClient {

    @GET
    JsonObject search(
            @QueryParam("q") String query,
            @QueryParam("limit") int limit,
            @QueryParam("fields") String fields,
            @HeaderParam("X-MAL-CLIENT-ID") String clientId);
}
