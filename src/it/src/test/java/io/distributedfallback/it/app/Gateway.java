package io.distributedfallback.it.app;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
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

    public String visit(String path) {
        return provider.ask(path, "visitor", instance);
    }

    public void probe(String path) {
        provider.ask(path, "probe", instance);
    }
}
