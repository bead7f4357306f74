package io.distributedfallback.it.container;

import io.distributedfallback.it.harness.ContainerParts;
import io.distributedfallback.it.harness.Http;
import java.net.URI;
import java.time.Duration;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** A database that is not as it should be fails neither the deployment nor a call: one warning, and a local breaker. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class StoreProblemsIT {

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "no-data-source", managed = false, testable = false)
    static WebArchive no_data_source() {
        return on("no-data-source", "jdbc/nowhere");
    }

    @Test
    void without_a_data_source_it_works_alone_and_says_so_once() throws Exception {
        works_alone_and_warns("no-data-source", "DFB301", "jdbc/nowhere");
    }

    @Deployment(name = "away", managed = false, testable = false)
    static WebArchive database_away() {
        return on("away", "jdbc/away");
    }

    @Test
    void with_a_database_that_is_away_it_works_alone_and_says_so_once() throws Exception {
        works_alone_and_warns("away", "DFB302", "jdbc/away");
    }

    @Deployment(name = "no-table", managed = false, testable = false)
    static WebArchive no_table() {
        return on("no-table", "jdbc/empty");
    }

    @Test
    void without_the_tables_it_works_alone_and_says_so_once() throws Exception {
        works_alone_and_warns("no-table", "DFB303", "distributed_breaker");
    }

    @Deployment(name = "no-right", managed = false, testable = false)
    static WebArchive no_right() {
        return on("no-right", "jdbc/reader");
    }

    @Deployment(name = "creates", managed = false, testable = false)
    static WebArchive creates_the_tables() {
        return Wars.configured(
                Wars.of("creates", Flaky.class, FlakyServlet.class), "distributed-fallback.schema=create");
    }

    @Test
    void without_the_right_to_write_it_works_alone_and_says_so_once() throws Exception {
        // The tables are there, made by their owner, and the role of this application may only read them.
        deployer.deploy("creates");
        try {
            get("creates", "mend");
            // Until it has read from them: on a busy machine they take longer to make than a call waits.
            eventually(Duration.ofSeconds(30), () -> {
                assertThat(get("creates", "ask")).isEqualTo("primary");
                assertThat(get("creates", "read")).isEqualTo("true");
            });
        } finally {
            deployer.undeploy("creates");
        }
        works_alone_and_warns("no-right", "DFB304", "distributed_breaker");
    }

    private static WebArchive on(String name, String dataSource) {
        return Wars.configured(
                Wars.of(name, Flaky.class, FlakyServlet.class),
                "distributed-fallback.datasource=" + dataSource,
                "distributed-fallback.schema=validate",
                "distributed-fallback.breaker.flaky.probe-interval=1h");
    }

    private void works_alone_and_warns(String application, String code, String detail) throws Exception {
        int logged = ContainerParts.log().length();
        deployer.deploy(application);
        try {
            for (int i = 0; i < 6; i++) {
                assertThat(get(application, "ask")).isEqualTo("fallback");
            }
            assertThat(get(application, "calls"))
                    .as("open after three failures")
                    .isEqualTo("3");
            eventually(
                    Duration.ofSeconds(10),
                    () -> assertThat(ContainerParts.log().substring(logged))
                            .containsOnlyOnce(code + ":")
                            .contains(detail));
        } finally {
            deployer.undeploy(application);
        }
    }

    private static String get(String application, String path) throws Exception {
        return Http.get(URI.create("http://127.0.0.1:" + System.getProperty("container.http.port") + "/" + application
                        + "/" + path))
                .body();
    }
}
