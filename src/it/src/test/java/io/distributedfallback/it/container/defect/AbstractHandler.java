package io.distributedfallback.it.container.defect;

import org.eclipse.microprofile.faulttolerance.FallbackHandler;

/** No bean, and nothing that could be made. */
public abstract class AbstractHandler implements FallbackHandler<String> {}
