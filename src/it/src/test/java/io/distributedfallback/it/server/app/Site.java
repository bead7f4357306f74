package io.distributedfallback.it.server.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything at the root. */
@ApplicationPath("/")
public class Site extends Application {}
