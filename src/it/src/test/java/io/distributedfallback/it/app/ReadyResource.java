package io.distributedfallback.it.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** Answers as soon as the application does. */
@RequestScoped
@Path("ready")
public class ReadyResource {

    @GET
    public String ready() {
        return "ready";
    }
}
