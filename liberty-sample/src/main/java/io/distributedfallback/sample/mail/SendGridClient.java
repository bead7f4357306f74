package io.distributedfallback.sample.mail;

import jakarta.json.JsonObject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** Twilio SendGrid, https://www.twilio.com/docs/sendgrid/api-reference. */
@RegisterRestClient(configKey = "sendgrid")
@Path("/v3")
public interface SendGridClient {

    @POST
    @Path("/mail/send")
    void send(@HeaderParam(HttpHeaders.AUTHORIZATION) String bearer, JsonObject mail);

    @GET
    @Path("/scopes")
    JsonObject scopes(@HeaderParam(HttpHeaders.AUTHORIZATION) String bearer);
}
