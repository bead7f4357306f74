package io.distributedfallback.sample.games;

import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** RAWG Video Games Database, https://rawg.io/apidocs. Address and time-outs are in the configuration: {@code rawg/mp-rest/…}. */
@RegisterRestClient(configKey = "rawg")
@Path("/api/games")
@Produces(MediaType.APPLICATION_JSON)
public interface RawgClient {

    @GET
    JsonObject search(
            @QueryParam("search") String query, @QueryParam("page_size") int pageSize, @QueryParam("key") String key);

    @GET
    @Path("/{id}")
    JsonObject game(@PathParam("id") int id, @QueryParam("key") String key);
}
