package io.distributedfallback.it.container.place;

import io.distributedfallback.DistributedFallback;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** A REST client that inherits all its methods. */
@RegisterRestClient(configKey = "echo")
@Path("echo")
@DistributedFallback(breaker = "inheriting echo", backup = LocalEcho.class)
public interface InheritingEchoClient extends RemoteEcho {}
