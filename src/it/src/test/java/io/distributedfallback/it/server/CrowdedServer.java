package io.distributedfallback.it.server;

import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Reply;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** One server with a neighbour that takes what it finds, and with applications that come and go. */
final class CrowdedServer implements AutoCloseable {

    /** Long enough for a loaded machine; a test that needs it has failed. */
    static final Duration PATIENCE = Duration.ofSeconds(40);

    /** From the applications' configuration: the longest wait for the store, to read and to write. */
    static final Duration STORE_TIMEOUT = Duration.ofSeconds(1);

    /** A soft reference counts for nothing, so that what is left after a collection is held by something else. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:SoftRefLRUPolicyMSPerMB=0");

    final Postgres postgres;
    final LibertyServer liberty;

    CrowdedServer() {
        postgres = Postgres.empty();
        WebArchive neighbour = ShrinkWrap.create(WebArchive.class, "app.war")
                .addPackage("io.distributedfallback.it.server.neighbour")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
        liberty = LibertyServer.launch(
                        "crowded",
                        "liberty/faults-server.xml",
                        neighbour,
                        Map.of("db.port", Integer.toString(postgres.port())),
                        JVM_OPTIONS)
                .awaitReady();
    }

    /** An application with everything, and breakers of its own. */
    static WebArchive application(String name, String... configuration) {
        List<String> lines = Stream.concat(
                        Stream.of(
                                "distributed-fallback.prefix=" + name + ":",
                                "distributed-fallback.instance-id=" + name,
                                "distributed-fallback.schema=create",
                                "distributed-fallback.snapshot.fresh=200ms",
                                "distributed-fallback.snapshot.max-age=2s",
                                "distributed-fallback.breaker.plain.probe-interval=500ms",
                                "distributed-fallback.default.probe-successes=2",
                                "distributed-fallback.breaker.plain.probe-trigger=background",
                                "distributed-fallback.breaker.byHand.probe-interval=1h"),
                        Stream.of(configuration))
                .toList();
        return ShrinkWrap.create(WebArchive.class, name + ".war")
                .addPackage("io.distributedfallback.it.server.app")
                .addAsLibraries(Places.extensionJar(), Places.caffeineJar())
                .addAsResource(
                        new StringAsset(String.join("\n", lines) + "\n"), "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    /** Deploys an application, or another version of it, and waits until it has started. */
    void deploy(WebArchive application) {
        int before = started(application);
        liberty.drop(application);
        until(application.getName() + " has started", PATIENCE, () -> started(application) > before);
    }

    private int started(WebArchive application) {
        String name = application.getName().replace(".war", "");
        return liberty.log().split("CWWKZ000[13]I: .*\\b" + name + "\\b", -1).length;
    }

    /** Takes an application away, and waits until it has stopped. */
    Duration undeploy(WebArchive application) {
        int before = stopped(application);
        long start = System.nanoTime();
        liberty.take(application);
        until(application.getName() + " has stopped", PATIENCE, () -> stopped(application) > before);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private int stopped(WebArchive application) {
        String name = application.getName().replace(".war", "");
        return liberty.log().split("CWWKZ0009I: .*\\b" + name + "\\b", -1).length;
    }

    /** Asks an application of the server; the neighbour is {@code app}. */
    Reply ask(String application, String path) throws IOException, InterruptedException {
        Reply reply = Http.get(uri(application, path));
        assertThat(reply.status()).as(application + path + ": " + reply.body()).isEqualTo(200);
        return reply;
    }

    URI uri(String application, String path) {
        return liberty.root("/" + application + path);
    }

    /** The state in the database; empty where there is no row. */
    String state(String application, String breaker) {
        String state = query(
                String.class, "SELECT state FROM distributed_breaker WHERE name = ?", application + ":" + breaker);
        return state == null ? "" : state;
    }

    /** The changes of state in the history of a breaker, in their order. */
    String history(String application, String breaker) {
        return query(
                String.class,
                "SELECT coalesce(string_agg(from_state || '>' || to_state, ',' ORDER BY id), '')"
                        + " FROM distributed_breaker_transition WHERE breaker = ?",
                application + ":" + breaker);
    }

    /** Connections of a data source of the server. */
    int connections(String source) {
        return query(Long.class, "SELECT count(*) FROM pg_stat_activity WHERE application_name = ?", source)
                .intValue();
    }

    <T> T query(Class<T> type, String sql, Object... parameters) {
        return postgres.ask("postgres", type, sql, parameters);
    }

    @Override
    public void close() {
        liberty.close();
        postgres.close();
    }
}
