package io.distributedfallback.it.cluster;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Provider;
import io.distributedfallback.it.harness.Provider.Script;
import io.distributedfallback.it.harness.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Two instances of the application that share a database, and the provider that they call. */
final class Cluster implements AutoCloseable {

    /** Long enough for a loaded machine; a test that needs it has failed. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** From the application's configuration: the longest wait for the store. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** From the application's configuration: the longest wait for the provider. */
    static final Duration PROVIDER_TIMEOUT = Duration.ofSeconds(2);

    /** From the application's configuration: past this age an instance's copy is not believed. */
    static final Duration MAX_AGE = Duration.ofSeconds(1);

    static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

    private static final String DATABASE = "postgres";

    final Postgres postgres;
    final Provider provider;
    final LibertyServer a;
    final LibertyServer b;
    private final WebArchive application;

    Cluster() {
        postgres = Postgres.empty();
        postgres.execute(DATABASE, "CREATE TABLE orders (id text PRIMARY KEY)");
        provider = new Provider();
        application = ShrinkWrap.create(WebArchive.class, "app.war")
                .addPackage("io.distributedfallback.it.app")
                .addAsLibraries(Places.libraries())
                .addAsResource("app/microprofile-config.properties", "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
        a = launch("a");
        b = launch("b");
        a.awaitReady();
        b.awaitReady();
    }

    /** Starts one more instance, and does not wait for it. The caller stops it. */
    LibertyServer launch(String name) {
        return launch(name, Map.of());
    }

    /** The same for one whose configuration differs. */
    LibertyServer launch(String name, Map<String, String> different) {
        Map<String, String> properties = new HashMap<>(different);
        properties.put("distributed-fallback.instance-id", name);
        properties.put("provider/mp-rest/url", provider.url());
        return LibertyServer.launch(
                name,
                application,
                Map.of(
                        "db.port",
                        Integer.toString(postgres.port()),
                        "db.name",
                        DATABASE,
                        "db.user",
                        Postgres.USER,
                        "db.password",
                        Postgres.PASSWORD),
                properties);
    }

    List<LibertyServer> both() {
        return List.of(a, b);
    }

    /** A visitor's call; it must be answered, by the primary or by the fallback. */
    Reply call(LibertyServer server, String breaker) throws Exception {
        Reply reply = Http.get(server.uri("/call/" + breaker));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    /** The body of a visitor's call. */
    String ask(LibertyServer server, String breaker) throws Exception {
        return call(server, breaker).body();
    }

    /** What an instance knows of a breaker: state, route, failures counted. */
    String status(LibertyServer server, String breaker) throws Exception {
        return Http.get(server.uri("/breakers/" + breaker + "/status")).body();
    }

    /** The events that the two instances saw for a breaker, in no order between them. */
    List<String> events(String breaker) throws Exception {
        List<String> events = new ArrayList<>();
        for (LibertyServer server : both()) {
            String text =
                    Http.get(server.uri("/breakers/" + breaker + "/events")).body();
            Stream.of(text.split(",")).filter(event -> !event.isEmpty()).forEach(events::add);
        }
        return events;
    }

    /** The changes of state in the history of a breaker, in their order. */
    List<String> history(String breaker) {
        String text = query(
                String.class,
                "SELECT coalesce(string_agg(from_state || '>' || to_state, ',' ORDER BY id), '')"
                        + " FROM distributed_breaker_transition WHERE breaker = ?",
                breaker);
        return Stream.of(text.split(",")).filter(change -> !change.isEmpty()).toList();
    }

    /** Fails the provider's answers until the breaker is open, with nothing but what visitors do. */
    void open(String breaker) throws Exception {
        provider.tell(breaker, Script.status(503));
        until(breaker + " is open", PATIENCE, () -> {
            call(a, breaker);
            return isOpen(breaker);
        });
    }

    /** Calls both instances until the breaker is closed and both are back on the primary. */
    void recover(String breaker) {
        provider.tell(breaker, Script.HEALTHY);
        provider.release(breaker);
        until(breaker + " has recovered", PATIENCE, () -> {
            boolean back = true;
            for (LibertyServer server : both()) {
                back &= call(server, breaker).body().equals("primary");
            }
            return back && !isOpen(breaker);
        });
    }

    boolean isOpen(String breaker) {
        return "OPEN".equals(column(breaker, "state", String.class));
    }

    /** Waits until a breaker has been open for so long that no instance believes an older copy. */
    void awaitOldCopies(String breaker) {
        until(
                "copies from before the opening are too old",
                PATIENCE,
                () -> holds(breaker, "opened_at < now() - interval '1100 ms'"));
    }

    /** Waits until the next call may wake a probe. */
    void awaitDueProbe(String breaker) {
        until("a probe is due", PATIENCE, () -> holds(breaker, "next_probe_at <= now()"));
    }

    private boolean holds(String breaker, String condition) {
        return column(breaker, condition, Boolean.class);
    }

    /** A moment in the breaker's row; null if there is none. */
    Instant moment(String breaker, String column) {
        OffsetDateTime moment = column(breaker, column, OffsetDateTime.class);
        return moment == null ? null : moment.toInstant();
    }

    /** A column of the breaker's row, or what is computed from some; null if there is no row. */
    <T> T column(String breaker, String column, Class<T> type) {
        return query(type, "SELECT " + column + " FROM distributed_breaker WHERE name = ?", breaker);
    }

    <T> T query(Class<T> type, String sql, Object... parameters) {
        return postgres.ask(DATABASE, type, sql, parameters);
    }

    @Override
    public void close() {
        a.close();
        b.close();
        provider.close();
        postgres.close();
    }
}
