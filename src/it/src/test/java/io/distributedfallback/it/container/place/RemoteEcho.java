package io.distributedfallback.it.container.place;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** The methods of a REST client. */
public interface RemoteEcho extends Echo {

    @Override
    @GET
    @Path("{word}")
    String say(@PathParam("word") String word);
}
