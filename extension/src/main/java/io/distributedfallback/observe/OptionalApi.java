package io.distributedfallback.observe;

/** An API that a server may have or not. */
enum OptionalApi {
    METRICS("MicroProfile Metrics", "org.eclipse.microprofile.metrics.MetricRegistry"),
    TELEMETRY("OpenTelemetry", "io.opentelemetry.api.OpenTelemetry"),
    HEALTH("MicroProfile Health", "org.eclipse.microprofile.health.HealthCheck");

    private final String title;
    private final String type;

    OptionalApi(String title, String type) {
        this.title = title;
        this.type = type;
    }

    String title() {
        return title;
    }

    /** Whether the application's class loader has it. */
    boolean isPresent() {
        try {
            Class.forName(type, false, OptionalApi.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
