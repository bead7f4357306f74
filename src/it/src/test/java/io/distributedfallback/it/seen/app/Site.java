package io.distributedfallback.it.seen.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything at the root. */
@ApplicationPath("/")
public class Site extends Application {}
