package io.distributedfallback.sample.web;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** The resources are below {@code /api}, the page is at {@code /}. */
@ApplicationPath("/api")
public class SampleApplication extends Application {}
