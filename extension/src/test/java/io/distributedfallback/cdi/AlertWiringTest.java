package io.distributedfallback.cdi;

import io.distributedfallback.BreakerAlert;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.DeploymentException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Alerts in a deployment. There are no managed threads here, so that what would be fired is in the log. */
class AlertWiringTest extends InWeld {

    private static final int CALLS = 25;

    @Test
    void where_somebody_observes_alerts_they_are_fired() throws Exception {
        callAll(start(Catalogue.class, Pager.class));
        assertThat(warnings.of("DFB501"))
                .filteredOn(line -> line.contains("BreakerAlert"))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("breaker=rawg, kind=OPENED, active=true"));
    }

    @Test
    void where_nobody_does_they_are_not() throws Exception {
        callAll(start(Catalogue.class));
        assertThat(warnings.of("DFB404")).hasSize(1);
        assertThat(warnings.of("DFB501")).noneMatch(line -> line.contains("BreakerAlert"));
    }

    @Test
    void a_rule_that_cannot_be_read_fails_the_deployment() {
        settings.put("distributed-fallback.alerts.open-for", "soon");
        assertThatExceptionOfType(DeploymentException.class)
                .isThrownBy(() -> start(Catalogue.class))
                .withMessageContaining("DFB201")
                .withMessageContaining("distributed-fallback.alerts.open-for");
    }

    private static void callAll(Catalogue catalogue) throws IOException {
        for (int i = 0; i < CALLS; i++) {
            assertThat(catalogue.search()).isEqualTo("fallback");
        }
    }

    @ApplicationScoped
    static class Catalogue {

        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String search() throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead() {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class Pager {

        void page(@Observes BreakerAlert alert) {
            throw new IllegalStateException(alert.message());
        }
    }
}
