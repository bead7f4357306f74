package io.distributedfallback.sample.games;

import jakarta.json.JsonArray;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** IGDB, https://api-docs.igdb.com: the query is the text of the body. */
@RegisterRestClient(configKey = "igdb")
@Path("/v4/games")
@Consumes(MediaType.TEXT_PLAIN)
@Produces(MediaType.APPLICATION_JSON)
public interface IgdbClient {

    @POST
    JsonArray search(
            String query,
            @HeaderParam("Client-ID") String clientId,
            @HeaderParam(HttpHeaders.AUTHORIZATION) String bearer);
}
