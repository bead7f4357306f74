package io.distributedfallback.observe;

import io.opentelemetry.api.OpenTelemetry;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Optional;

/**
 * The application's OpenTelemetry: the bean that MicroProfile Telemetry has, or one that the application produces itself. The
 * global one is not asked: the question alone would set it for good, in front of whoever wants to set it later.
 */
final class OpenTelemetryBean {

    /** Whose measurements and spans they are. */
    static final String SCOPE = "io.distributedfallback";

    private OpenTelemetryBean() {}

    static Optional<OpenTelemetry> find(BeanManager beans) {
        Instance<OpenTelemetry> found = beans.createInstance().select(OpenTelemetry.class);
        return found.isResolvable() ? Optional.of(found.get()) : Optional.empty();
    }
}
