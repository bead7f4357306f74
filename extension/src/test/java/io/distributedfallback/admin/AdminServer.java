package io.distributedfallback.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.queue.QueueRoom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.security.Credential;

/** The admin in a real servlet container, with users who may look, who may command, and who may neither. */
final class AdminServer implements AutoCloseable {

    static final AdminAccess ACCESS = new AdminAccess("/breakers-admin", "viewer", "operator", false);
    static final String READER = "rita";
    static final String OPERATOR = "otto";
    static final String NOBODY = "nora";

    private static final ObjectMapper JSON = new ObjectMapper();
    /** One for each: a port may have been that of a server before, to which an old connection still leads. */
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);

    private AdminServer(AdminAccess access, Supplier<ControlRoom> room, boolean secured) {
        this(access, room, QueueRoom::empty, secured);
    }

    private AdminServer(AdminAccess access, Supplier<ControlRoom> room, Supplier<QueueRoom> queues, boolean secured) {
        connector.setHost("127.0.0.1");
        // A request that is refused before its body has come ends the connection, and the client may use it once more.
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setPersistentConnectionsEnabled(false);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler(
                "/shop",
                ServletContextHandler.NO_SESSIONS
                        | (secured ? ServletContextHandler.SECURITY : ServletContextHandler.NO_SECURITY));
        if (secured) {
            ConstraintSecurityHandler security = (ConstraintSecurityHandler) context.getSecurityHandler();
            constrain(security, access);
            security.setAuthenticator(new BasicAuthenticator());
            security.setLoginService(new HashLoginService("shop") {
                {
                    setUserStore(users());
                }
            });
        }
        context.addServletContainerInitializer(
                (types, servlets) -> AdminInitializer.serve(servlets, access, room, queues));
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What other containers do about {@code setServletSecurity}; a bare context of this one does nothing. */
    private static void constrain(ConstraintSecurityHandler security, AdminAccess access) {
        ConstraintSecurityHandler.createConstraintsWithMappingsForPath(
                        "admin", access.path() + "/*", AdminInitializer.security(access))
                .forEach(security::addConstraintMapping);
    }

    private static UserStore users() {
        UserStore users = new UserStore();
        users.addUser(READER, Credential.getCredential("secret"), new String[] {"viewer"});
        users.addUser(OPERATOR, Credential.getCredential("secret"), new String[] {"operator"});
        users.addUser(NOBODY, Credential.getCredential("secret"), new String[] {"customer"});
        return users;
    }

    static AdminServer of(ControlRoom room) {
        return new AdminServer(ACCESS, () -> room, true);
    }

    static AdminServer of(ControlRoom room, QueueRoom queues) {
        return new AdminServer(ACCESS, () -> room, () -> queues, true);
    }

    static AdminServer of(Supplier<ControlRoom> room) {
        return new AdminServer(ACCESS, room, true);
    }

    /** A container that knows no users. */
    static AdminServer withoutSecurity(ControlRoom room) {
        return new AdminServer(ACCESS, () -> room, false);
    }

    int port() {
        return connector.getLocalPort();
    }

    String origin() {
        return "http://127.0.0.1:" + port();
    }

    URI uri(String path) {
        return URI.create(origin() + "/shop/breakers-admin" + path);
    }

    /** A request of a user; null for one who has not logged in. */
    HttpRequest.Builder request(String user, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(20));
        if (user != null) {
            String credentials =
                    Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + credentials);
        }
        return request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> get(String user, String path) {
        return send(request(user, path).GET());
    }

    JsonNode json(String path) {
        return json(get(READER, path));
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(response.body(), e);
        }
    }

    /** A command, as the page sends it. */
    HttpRequest.Builder command(String user, String body) {
        return post(user, "/api/commands", body);
    }

    HttpRequest.Builder post(String user, String path, String body) {
        return request(user, path)
                .header("X-Distributed-Fallback", "command")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
