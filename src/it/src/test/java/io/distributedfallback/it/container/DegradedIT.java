package io.distributedfallback.it.container;

import io.distributedfallback.it.container.kiosk.Kiosk;
import io.distributedfallback.it.container.kiosk.KioskApplication;
import io.distributedfallback.it.container.kiosk.KioskResource;
import io.distributedfallback.it.harness.Places;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Last good results on a server, with Caffeine beside the jar, and what clients are told of them. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DegradedIT {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @ArquillianResource
    URI application;

    @Deployment(testable = false)
    static WebArchive application() {
        return Wars.configured(
                Wars.of("kiosk", Kiosk.class, KioskResource.class, KioskApplication.class)
                        .addAsLibraries(Places.caffeineJar()),
                "distributed-fallback.store=memory",
                "distributed-fallback.degraded-header=Degraded");
    }

    @Test
    void a_client_is_told_what_answered_and_how_old_it_is() throws Exception {
        HttpResponse<String> healthy = get("paper/Herald");
        assertThat(healthy.body()).isEqualTo("Herald of today []");
        assertThat(healthy.headers().map()).doesNotContainKey("degraded");
        assertThat(get("map/town").body()).isEqualTo("map of town");
        get("down");

        HttpResponse<String> kept = get("paper/Herald");
        assertThat(kept.body()).isEqualTo("Herald of today [papers]");
        assertThat(degraded(kept)).singleElement().asString().matches("papers;rung=last-good;age=[0-9]+");

        HttpResponse<String> fallback = get("paper/Times");
        assertThat(fallback.body()).isEqualTo("Times of yesterday [papers]");
        assertThat(degraded(fallback)).containsExactly("papers;rung=fallback");

        HttpResponse<String> later = get("map/moon");
        assertThat(later.body()).isEqualTo("old map of moon");
        assertThat(degraded(later)).containsExactly("\"maps & plans\";rung=fallback");

        HttpResponse<String> keptLater = get("map/town");
        assertThat(keptLater.body()).isEqualTo("map of town");
        assertThat(degraded(keptLater)).singleElement().asString().startsWith("\"maps & plans\";rung=last-good;age=");

        HttpResponse<String> partial = get("everything");
        assertThat(partial.body()).isEqualTo("Herald of today, degraded true, unavailable [tickets]");
        assertThat(degraded(partial))
                .singleElement()
                .asString()
                .matches("papers;rung=last-good;age=[0-9]+, tickets;rung=unavailable");
    }

    private static List<String> degraded(HttpResponse<String> response) {
        return response.headers().allValues("Degraded");
    }

    private HttpResponse<String> get(String path) throws Exception {
        HttpResponse<String> response = CLIENT.send(
                HttpRequest.newBuilder(application.resolve("kiosk/" + path)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }
}
