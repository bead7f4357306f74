package io.distributedfallback.simulator;

import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonException;
import jakarta.json.JsonReader;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Steers the providers: {@code GET /admin} tells of all, {@code GET /admin/{provider}} of one; {@code PUT
 * /admin/{provider}} says what it is to be ({@link Condition#of}); {@code DELETE /admin/{provider}} makes it healthy
 * and sets its counters to zero, {@code DELETE /admin} all five.
 *
 * <p>A PUT must be JSON: no page of another origin can send that without asking first, and nothing here says yes.
 */
@WebServlet("/admin/*")
public class AdminServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Inject
    private transient Providers providers;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = name(request);
        if (name.isEmpty()) {
            ProviderServlet.write(all(), response);
        } else {
            ProviderServlet.write(providers.find(name).map(AdminServlet::one).orElse(unknown(name)), response);
        }
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = name(request);
        Optional<Provider> provider = providers.find(name);
        ProviderServlet.write(provider.isEmpty() ? unknown(name) : change(provider.get(), request), response);
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = name(request);
        if (name.isEmpty()) {
            providers.all().forEach(Provider::reset);
            ProviderServlet.write(all(), response);
            return;
        }
        Optional<Provider> provider = providers.find(name);
        provider.ifPresent(Provider::reset);
        ProviderServlet.write(provider.map(AdminServlet::one).orElse(unknown(name)), response);
    }

    private static Answer change(Provider provider, HttpServletRequest request) throws IOException {
        String type = Optional.ofNullable(request.getContentType()).orElse("");
        if (!type.startsWith("application/json")) {
            return problem(415, "send JSON: {\"condition\": \"failing\", \"status\": 503}");
        }
        try (JsonReader reader = Json.createReader(request.getInputStream())) {
            provider.become(Condition.of(reader.readObject()));
            return one(provider);
        } catch (JsonException | ClassCastException e) {
            return problem(400, "not readable as a JSON object with the member condition");
        } catch (IllegalArgumentException e) {
            return problem(400, e.getMessage());
        }
    }

    private Answer all() {
        JsonArrayBuilder list = Json.createArrayBuilder();
        providers.all().forEach(provider -> list.add(provider.toJson()));
        return Answer.json(200, list.build());
    }

    private static Answer one(Provider provider) {
        return Answer.json(200, provider.toJson().build());
    }

    private static Answer unknown(String name) {
        return problem(404, "no provider \"" + name + "\"; there are rawg, igdb, jikan, mal and sendgrid");
    }

    private static Answer problem(int status, String text) {
        return Answer.json(
                status, Json.createObjectBuilder().add("problem", text).build());
    }

    private static String name(HttpServletRequest request) {
        String path = request.getPathInfo();
        return path == null ? "" : path.substring(1);
    }
}
