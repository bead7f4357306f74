package io.distributedfallback.simulator;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import jakarta.inject.Inject;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** The providers' addresses: {@code /rawg/api/games}, {@code /igdb/v4/games} and so on. No thread waits for a slow one. */
@WebServlet(
        urlPatterns = {"/rawg/*", "/igdb/*", "/jikan/*", "/mal/*", "/sendgrid/*"},
        asyncSupported = true)
public class ProviderServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    /** No client that is worth simulating waits longer; without an end, each lost request would stay in memory. */
    private static final Duration GONE_FOR = Duration.ofMinutes(2);

    private static final int LONGEST_BODY = 10_000;

    @Inject
    private transient Providers providers;

    @Resource
    private transient ManagedScheduledExecutorService executor;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Provider provider =
                providers.find(request.getServletPath().substring(1)).orElseThrow();
        Optional<Reply> reply = provider.ask(question(request));
        if (reply.isEmpty()) {
            hold(request);
        } else if (reply.get().delay().isZero()) {
            write(reply.get().answer(), response);
        } else {
            later(reply.get(), request);
        }
    }

    /** Never answers, as far as the client can tell: the container ends it when the client has long given up. */
    private static void hold(HttpServletRequest request) {
        request.startAsync().setTimeout(GONE_FOR.toMillis());
    }

    private void later(Reply reply, HttpServletRequest request) {
        AsyncContext context = request.startAsync();
        context.setTimeout(GONE_FOR.toMillis());
        Future<?> unused = executor.schedule(
                () -> finish(reply.answer(), context), reply.delay().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void finish(Answer answer, AsyncContext context) {
        try {
            write(answer, (HttpServletResponse) context.getResponse());
        } catch (IOException e) {
            // the client did not wait, which is what slowness is for
        } finally {
            context.complete();
        }
    }

    private static Question question(HttpServletRequest request) throws IOException {
        Map<String, String> parameters = new HashMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        Collections.list(request.getHeaderNames()).forEach(name -> headers.put(name, request.getHeader(name)));
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
        byte[] body = request.getInputStream().readNBytes(LONGEST_BODY);
        return new Question(request.getMethod(), path, parameters, headers, new String(body, StandardCharsets.UTF_8));
    }

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.setCharacterEncoding("UTF-8");
        response.setContentLength(body.length);
        answer.headers().forEach(response::setHeader);
        response.getOutputStream().write(body);
    }
}
