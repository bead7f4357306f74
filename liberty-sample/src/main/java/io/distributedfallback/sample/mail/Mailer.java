package io.distributedfallback.sample.mail;

import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import io.distributedfallback.QueueKey;
import io.distributedfallback.QueueWhenOpen;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/**
 * Mails, which can wait. While the mail service is down each is stored, and sent when it is back: at least once, and those
 * about one title in the order in which they were meant.
 */
@ApplicationScoped
public class Mailer {

    @Inject
    @RestClient
    SendGridClient sendgrid;

    @Inject
    @ConfigProperty(name = "sendgrid.key")
    String key;

    @DistributedFallback(breaker = "sendgrid")
    @QueueWhenOpen
    public void tell(@QueueKey String title, String news) {
        sendgrid.send(bearer(), mail(title + " " + news));
    }

    @Probe("sendgrid")
    void askWhatTheKeyMayDo() {
        sendgrid.scopes(bearer());
    }

    private String bearer() {
        return "Bearer " + key;
    }

    private static JsonObject mail(String subject) {
        return Json.createObjectBuilder()
                .add(
                        "personalizations",
                        Json.createArrayBuilder()
                                .add(Json.createObjectBuilder()
                                        .add("to", Json.createArrayBuilder().add(address("reader@example.com")))))
                .add("from", address("catalogue@example.com"))
                .add("subject", subject)
                .add(
                        "content",
                        Json.createArrayBuilder()
                                .add(Json.createObjectBuilder()
                                        .add("type", "text/plain")
                                        .add("value", subject)))
                .build();
    }

    private static JsonObject address(String email) {
        return Json.createObjectBuilder().add("email", email).build();
    }
}
