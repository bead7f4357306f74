package io.distributedfallback.it.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything at the root. */
@ApplicationPath("/")
public class Shop extends Application {}
