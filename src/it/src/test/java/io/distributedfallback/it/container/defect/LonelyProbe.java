package io.distributedfallback.it.container.defect;

import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;

/** DFB107. */
@ApplicationScoped
public class LonelyProbe {

    @Probe("nobody")
    void ask() {}
}
