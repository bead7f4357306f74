package io.distributedfallback.it.container;

import io.distributedfallback.it.harness.Http;
import java.net.URI;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** A probe waits until the request that noticed it has been answered. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class EndOfRequestIT {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @ArquillianResource
    URI application;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("request", Flaky.class, FlakyServlet.class),
                "distributed-fallback.store=memory",
                "distributed-fallback.snapshot.fresh=50ms");
    }

    @Test
    void no_probe_runs_while_the_request_is_served_and_one_runs_after_it() throws Exception {
        until("the breaker is open", PATIENCE, () -> {
            int before = Integer.parseInt(get("calls"));
            get("ask");
            return Integer.parseInt(get("calls")) == before;
        });
        eventually(PATIENCE, () -> {
            int before = Integer.parseInt(get("probes"));
            assertThat(get("ask-and-stay")).isEqualTo("fallback 0");
            until("a probe after the request", Duration.ofSeconds(2), () -> Integer.parseInt(get("probes")) > before);
        });
    }

    private String get(String path) throws Exception {
        return Http.get(application.resolve(path)).body();
    }
}
