package io.distributedfallback.it.server.neighbour;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Everything at the root. */
@ApplicationPath("/")
public class Neighbourhood extends Application {}
