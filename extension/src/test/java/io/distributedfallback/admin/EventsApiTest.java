package io.distributedfallback.admin;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.MemoryBreakerStore;
import io.distributedfallback.core.Policy;
import io.distributedfallback.core.Timings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Events for browsers, over a real connection. */
@Timeout(60)
class EventsApiTest {

    private static final Timings QUICK =
            new Timings(Duration.ofMillis(100), Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(5));

    private final MemoryBreakerStore database = Rooms.database();
    private final Threads threads = new Threads();
    private final Rooms app = new Rooms(database, threads, QUICK, Policy.DEFAULT, Set.of("rawg"));
    private final AdminServer server = AdminServer.of(app.room);

    @AfterEach
    void stop() {
        server.close();
        app.close();
        threads.close();
    }

    private HttpResponse<InputStream> listen() throws Exception {
        return server.client()
                .send(server.request(AdminServer.READER, "/api/events").GET().build(), BodyHandlers.ofInputStream());
    }

    private static BufferedReader reader(HttpResponse<InputStream> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** The next event; empty if the stream ends. */
    private static String next(BufferedReader lines) throws IOException {
        String event = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event: ")) {
                event = line.substring("event: ".length());
            } else if (line.isEmpty() && !event.isEmpty()) {
                return event;
            }
        }
        return "";
    }

    private static String endOf(BufferedReader events) {
        try {
            return next(events);
        } catch (IOException e) {
            return "cut";
        }
    }

    @Test
    void tells_of_what_this_instance_writes_and_of_what_another_one_wrote() throws Exception {
        HttpResponse<InputStream> response = listen();
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/event-stream"));
        try (BufferedReader events = reader(response)) {
            assertThat(next(events)).isEqualTo("beat");
            app.fail("rawg");
            assertThat(next(events)).isEqualTo("change");
            try (Rooms other = Rooms.over(database, "rawg")) {
                other.open("rawg");
            }
            assertThat(next(events)).as("with no traffic here").isEqualTo("change");
        }
    }

    @Test
    void has_room_for_a_bounded_number_and_gets_the_places_of_those_who_are_gone_back() throws Exception {
        List<HttpResponse<InputStream>> clients = new ArrayList<>();
        for (int i = 0; i < EventStreams.MOST; i++) {
            clients.add(listen());
            assertThat(clients.get(i).statusCode()).isEqualTo(200);
        }
        HttpResponse<InputStream> tooMany = listen();
        assertThat(tooMany.statusCode()).isEqualTo(503);
        assertThat(tooMany.headers().firstValue("Retry-After")).hasValue("30");
        tooMany.body().close();

        for (HttpResponse<InputStream> client : clients) {
            client.body().close();
        }
        // Each event that is sent finds those who are gone.
        int status = 503;
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (status == 503 && System.nanoTime() < giveUp) {
            app.fail("rawg");
            HttpResponse<InputStream> again = listen();
            status = again.statusCode();
            again.body().close();
        }
        assertThat(status).isEqualTo(200);
    }

    @Test
    void ends_all_when_the_application_stops() throws Exception {
        try (BufferedReader events = reader(listen())) {
            assertThat(next(events)).isEqualTo("beat");
            server.close();
            assertThat(endOf(events)).isIn("", "cut");
        }
    }

    /** Real threads and a real timer. */
    private static final class Threads implements Background, AutoCloseable {

        private final ScheduledExecutorService executor = Executors.newScheduledThreadPool(4);

        @Override
        public Task run(Runnable task) {
            Future<?> future = executor.submit(task);
            return () -> future.cancel(true);
        }

        @Override
        public void afterRequest(Runnable task) {
            run(task);
        }

        @Override
        public Executor callersContext() {
            return Runnable::run;
        }

        @Override
        public Task schedule(Duration delay, Runnable task) {
            Future<?> future = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(true);
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }
    }
}
