package io.distributedfallback.it.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Real requests to the provider, marked with what they are for and who sends them. */
@ApplicationScoped
public class Gateway {

    @Inject
    @RestClient
    ProviderApi provider;

    @Inject
    @ConfigProperty(name = "distributed-fallback.instance-id")
    String instance;

    @Inject
    @ConfigProperty(name = "provider/mp-rest/url")
    String address;

    private final HttpClient patient = HttpClient.newHttpClient();

    public String visit(String path) {
        return provider.ask(path, "visitor", instance);
    }

    public void probe(String path) {
        provider.ask(path, "probe", instance);
    }

    /** A probe that waits as long as the provider takes, with a client that has no time-out of its own. */
    public boolean probePatiently(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/provider/" + path))
                .header("X-Purpose", "probe")
                .header("X-Instance", instance)
                .build();
        return patient.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    }
}
