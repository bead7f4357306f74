package io.distributedfallback.it.admin;

import io.distributedfallback.it.admin.app.Weather;
import io.distributedfallback.it.harness.LibertyServer;
import io.distributedfallback.it.harness.Places;
import io.distributedfallback.it.harness.Postgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Two servers that share a database: one has users, and a few more applications; the other has no security at all. */
final class AdminServers implements AutoCloseable {

    static final String READER = "rita";
    static final String OPERATOR = "otto";
    static final String NOBODY = "nora";

    private static final String DATABASE = "postgres";
    private static final String SETTINGS = """
            distributed-fallback.store=memory
            distributed-fallback.admin.enabled=%s
            distributed-fallback.admin.role=viewer
            """;

    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    final Postgres postgres = Postgres.empty();
    final LibertyServer a;
    final LibertyServer b;

    AdminServers() {
        postgres.execute(DATABASE, "CREATE TABLE orders (id text PRIMARY KEY)");
        WebArchive application = ShrinkWrap.create(WebArchive.class, "app.war")
                .addPackage("io.distributedfallback.it.app")
                .addAsLibraries(Places.libraries())
                .addAsResource(new StringAsset(settings()), "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
        Map<String, String> variables = Map.of(
                "db.port",
                Integer.toString(postgres.port()),
                "db.name",
                DATABASE,
                "db.user",
                Postgres.USER,
                "db.password",
                Postgres.PASSWORD,
                "apps.dir",
                others().toString());
        b = LibertyServer.launch("admin-b", "liberty/cluster-server.xml", application, variables, properties("b"))
                .awaitReady();
        a = LibertyServer.launch(
                        "admin-a", "liberty/admin-server.xml", withInitializer(application), variables, properties("a"))
                .awaitReady();
    }

    private static Map<String, String> properties(String instance) {
        // Nobody listens there, and nobody is asked.
        return Map.of("distributed-fallback.instance-id", instance, "provider/mp-rest/url", "http://127.0.0.1:9");
    }

    private static String settings() {
        try (InputStream shared =
                AdminServers.class.getClassLoader().getResourceAsStream("app/microprofile-config.properties")) {
            return new String(shared.readAllBytes(), StandardCharsets.ISO_8859_1) + """
                      distributed-fallback.admin.enabled=true
                      distributed-fallback.admin.path=/breakers-admin
                      distributed-fallback.admin.role=viewer
                      distributed-fallback.admin.command-role=operator
                      """;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path others() {
        try {
            Path folder = Files.createTempDirectory(Path.of(System.getProperty("container.lib")), "apps");
            export(weather("disabled.war", "false"), folder);
            export(weather("complete.war", "true").setWebXML(new StringAsset(WEB_XML)), folder);
            // In the module: the server looks for initializers there, and not in the lib of the whole.
            export(
                    ShrinkWrap.create(EnterpriseArchive.class, "whole.ear")
                            .addAsModule(weather("web.war", "true"))
                            .setApplicationXML(new StringAsset(APPLICATION_XML)),
                    folder);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final String WEB_XML = """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.0" metadata-complete="true"/>
            """;

    private static final String APPLICATION_XML = """
            <application xmlns="https://jakarta.ee/xml/ns/jakartaee" version="10">
              <module><web><web-uri>web.war</web-uri><context-root>/whole</context-root></web></module>
                    </application>
            """;

    /** What an application adds that wants the admin. */
    private static WebArchive withInitializer(WebArchive war) {
        return war.addAsResource(
                new StringAsset("io.distributedfallback.admin.AdminInitializer"),
                "META-INF/services/jakarta.servlet.ServletContainerInitializer");
    }

    private static WebArchive weather(String name, String enabled) {
        return withInitializer(ShrinkWrap.create(WebArchive.class, name))
                .addClass(Weather.class)
                .addAsLibraries(Places.extensionJar())
                .addAsResource(new StringAsset(SETTINGS.formatted(enabled)), "META-INF/microprofile-config.properties")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    private static void export(Archive<?> archive, Path folder) {
        archive.as(ZipExporter.class).exportTo(folder.resolve(archive.getName()).toFile(), true);
    }

    /** An address of the admin of the application that shares the database. */
    static URI admin(LibertyServer server, String path) {
        return server.uri("/breakers-admin" + path);
    }

    static HttpRequest.Builder request(String user, URI address) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(30));
        if (user != null) {
            String credentials =
                    Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + credentials);
        }
        return request;
    }

    static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    static HttpResponse<String> get(String user, URI address) throws Exception {
        return send(request(user, address));
    }

    static HttpClient client() {
        return CLIENT;
    }

    /** A command, as the page sends it. */
    HttpRequest.Builder command(String user, String breaker, String action) {
        return request(user, admin(a, "/api/commands"))
                .header("X-Distributed-Fallback", "command")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"breaker\":\"" + breaker + "\",\"action\":\"" + action
                        + "\",\"reason\":\"a test\",\"expirySeconds\":null}"));
    }

    /** All rows of both tables, as text: equal if nothing has changed. */
    String rows() {
        return postgres.ask(
                DATABASE,
                String.class,
                "SELECT coalesce((SELECT string_agg(b::text, '|' ORDER BY name) FROM distributed_breaker b), '') || '#'"
                        + " || coalesce((SELECT string_agg(t::text, '|' ORDER BY id)"
                        + " FROM distributed_breaker_transition t), '')");
    }

    <T> T query(Class<T> type, String sql, Object... parameters) {
        return postgres.ask(DATABASE, type, sql, parameters);
    }

    @Override
    public void close() {
        a.close();
        b.close();
        postgres.close();
    }
}
