package io.distributedfallback.it.rest.app;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Lists nothing, so the server looks for itself, also in libraries. */
@ApplicationPath("/")
public class Site extends Application {}
