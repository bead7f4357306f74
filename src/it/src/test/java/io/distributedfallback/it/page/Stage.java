package io.distributedfallback.it.page;

import io.distributedfallback.it.harness.Cable;
import io.distributedfallback.it.harness.Http;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Provider;
import io.distributedfallback.it.harness.Provider.Script;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** One instance of an application whose page is on, its database, its provider, and the cable that leads to it. */
final class Stage implements AutoCloseable {

    static final String OPERATOR = "olga";
    static final String READER = "rita";
    static final String PASSWORD = "secret";

    private static final String DATABASE = "postgres";

    /** A server that has just started opens its persistence provider with the first call. */
    private static final Duration FIRST_USE = Duration.ofMinutes(1);

    final Postgres postgres;
    final Provider provider;
    final LibertyServer server;
    final Cable cable;

    Stage() {
        postgres = Postgres.empty();
        postgres.execute(DATABASE, "CREATE TABLE orders (id text PRIMARY KEY)");
        provider = new Provider();
        WebArchive application = ShrinkWrap.create(WebArchive.class, "app.war")
                .addPackage("io.distributedfallback.it.app")
                .addPackage("io.distributedfallback.it.page.app")
                .addAsLibraries(Places.libraries())
                .addAsResource("page/microprofile-config.properties", "META-INF/microprofile-config.properties")
                .addAsResource(
                        new StringAsset("io.distributedfallback.admin.AdminInitializer\n"),
                        "META-INF/services/jakarta.servlet.ServletContainerInitializer")
                .addAsWebInfResource("page/web.xml", "web.xml")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
        server = LibertyServer.launch(
                "page",
                "liberty/page-server.xml",
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
                Map.of("distributed-fallback.instance-id", "web-1", "provider/mp-rest/url", provider.url()));
        server.awaitReady();
        visitOnce();
        cable = new Cable(server.uri("").getPort());
    }

    /** The page, by way of the cable. */
    URI page() {
        return page("");
    }

    /** A place in the page. */
    URI page(String hash) {
        return URI.create("http://127.0.0.1:" + cable.port() + "/app/distributed-fallback/" + hash);
    }

    /** The page, showing one breaker. */
    URI detail(String breaker) {
        return page("#breaker=" + URLEncoder.encode(breaker, StandardCharsets.UTF_8));
    }

    /** Calls a breaker until it is open, with a provider that fails. */
    void open(String breaker) {
        provider.tell(breaker, Script.status(503));
        until(breaker + " is open", Browser.PATIENCE, () -> {
            visit(breaker);
            return "OPEN".equals(column(breaker, "state", String.class));
        });
    }

    /** Calls a breaker until it is closed, with a provider that works. */
    void recover(String breaker) {
        provider.tell(breaker, Script.HEALTHY);
        until(breaker + " is closed", Browser.PATIENCE, () -> {
            visit(breaker);
            return !"OPEN".equals(column(breaker, "state", String.class));
        });
    }

    /** A visitor's call. */
    void visit(String breaker) throws Exception {
        assertThat(Http.get(server.uri("/call/" + breaker)).status()).isEqualTo(200);
    }

    /** A visitor, without whom the instance has not looked at its tables yet. */
    private void visitOnce() {
        until("the tables are there", FIRST_USE, () -> {
            visit("healthy");
            return postgres.ask(DATABASE, Boolean.class, "SELECT to_regclass('distributed_breaker') IS NOT NULL");
        });
    }

    /** Calls so many breakers that no code declares. */
    void useMany(int count) throws Exception {
        assertThat(Http.get(server.uri("/use/many?count=" + count)).body()).isEqualTo(Integer.toString(count));
    }

    /** Calls a breaker of any name. */
    void use(String name) throws Exception {
        String query = URLEncoder.encode(name, StandardCharsets.UTF_8);
        assertThat(Http.get(server.uri("/use?name=" + query)).body()).isEqualTo("primary");
    }

    /** A column of the breaker's row, or what is computed from some; null if there is no row. */
    <T> T column(String breaker, String column, Class<T> type) {
        return postgres.ask(DATABASE, type, "SELECT " + column + " FROM distributed_breaker WHERE name = ?", breaker);
    }

    /** Runs statements in the database of the application. */
    void execute(String... statements) {
        postgres.execute(DATABASE, statements);
    }

    @Override
    public void close() {
        cable.close();
        server.close();
        provider.close();
        postgres.close();
    }
}
