package io.distributedfallback.admin;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.PolicyText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.Retold;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.queue.QueueRoom;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The door. Each request:
 *
 * <ol>
 *   <li>gets the strict headers, whatever becomes of it;
 *   <li>is refused unless whoever asks has one of the roles: the server's constraints should have seen to that, and if it
 *       has no security, or something is misconfigured, this holds all the same;
 *   <li>is led to what it asks for; all that is not known is not found.
 * </ol>
 */
final class AdminServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final System.Logger LOG = System.getLogger("io.distributedfallback");
    private static final Duration LONGEST_STREAM = Duration.ofMinutes(5);
    private static final String BREAKERS = "/api/breakers";

    private final transient Visitors visitors;
    private final transient Supplier<ControlRoom> lookup;
    private final transient InstantSource clock;
    private final transient Commands commands;
    private final transient QueuePages queues;
    private final transient AtomicBoolean missed = new AtomicBoolean();
    private transient volatile ControlRoom found;

    /** Guarded by this. */
    private transient EventStreams streams;

    /**
     * @param lookup finds what it shows; asked with the first request that needs it
     * @param queues finds the queues that it shows; asked with each request for them
     * @param clock for texts
     */
    AdminServlet(AdminAccess access, Supplier<ControlRoom> lookup, Supplier<QueueRoom> queues, InstantSource clock) {
        this.visitors = new Visitors(access);
        this.lookup = lookup;
        this.clock = clock;
        this.commands = new Commands(visitors, this::room);
        this.queues = new QueuePages(
                () -> {
                    // Where there are no breakers there are no queues, and who looks is told why.
                    ControlRoom unused = room();
                    return queues.get();
                },
                commands);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Replies.setHeaders(response);
        // A server may take what is asked for to be in ISO 8859-1; browsers send UTF-8.
        request.setCharacterEncoding(StandardCharsets.UTF_8.name());
        try {
            visitors.admit(request);
            answer(request, response);
        } catch (StoreException e) {
            Replies.refuse(request, response, Refusal.unavailable("store-unavailable", e.getMessage(), 5));
        } catch (Refusal refusal) {
            Replies.refuse(request, response, refusal);
        } catch (RuntimeException | LinkageError e) {
            // The server's own page might show where it happened.
            Retold.log(LOG, System.Logger.Level.ERROR, "the admin failed", e);
            if (!response.isCommitted()) {
                Replies.refuse(request, response, Refusal.internal());
            }
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo();
        Optional<PageFiles.File> file = PageFiles.find(path);
        if (path == null) {
            requireGet(request);
            // Without the slash, what the page asks for would be looked up one step too high.
            response.sendRedirect(request.getContextPath() + request.getServletPath() + "/");
        } else if (file.isPresent()) {
            requireGet(request);
            Replies.send(request, response, file.get().type(), file.get().bytes());
        } else if (path.equals(BREAKERS)) {
            requireGet(request);
            BreakerList list = new BreakerList(room(), clock.instant());
            Replies.json(request, response, 200, list.of(request, visitors.mayCommand(request)));
        } else if (path.startsWith(BREAKERS + "/")) {
            requireGet(request);
            Replies.json(request, response, 200, breaker(BreakerPath.name(request, BREAKERS + "/")));
        } else if (path.equals("/api/history")) {
            requireGet(request);
            Replies.json(request, response, 200, HistoryJson.of(room(), request));
        } else if (path.equals(QueuePages.QUEUES)) {
            requireGet(request);
            Replies.json(request, response, 200, queues.queues(request));
        } else if (path.equals(QueuePages.CALLS)) {
            requireGet(request);
            Replies.json(request, response, 200, queues.calls(request));
        } else if (path.equals(QueuePages.COMMANDS)) {
            requireMethod(request, "POST");
            Replies.json(request, response, 200, queues.carryOut(request));
        } else if (path.equals("/api/commands")) {
            requireMethod(request, "POST");
            Replies.json(request, response, 200, json(commands.carryOut(request)));
        } else if (path.equals("/api/events")) {
            requireMethod(request, "GET");
            streams().open(request, response);
        } else {
            throw Refusal.notFound("There is nothing here");
        }
    }

    private Map<String, Object> breaker(String name) {
        room().refresh();
        BreakerStatus status = room().status(name).orElseThrow(() -> Refusal.notFound("There is no such breaker"));
        Map<String, Object> json = json(status);
        json.put("policy", PolicyText.values(room().policyOf(name)));
        return json;
    }

    private Map<String, Object> json(BreakerStatus status) {
        return BreakerJson.of(status, room().policyOf(status.breaker()), clock.instant());
    }

    private static void requireMethod(HttpServletRequest request, String method) {
        if (!request.getMethod().equals(method)) {
            throw Refusal.methodNotAllowed(method);
        }
    }

    private static void requireGet(HttpServletRequest request) {
        if (!request.getMethod().equals("GET") && !request.getMethod().equals("HEAD")) {
            throw Refusal.methodNotAllowed("GET, HEAD");
        }
    }

    private ControlRoom room() {
        ControlRoom room = found;
        if (room == null) {
            try {
                room = lookup.get();
            } catch (RuntimeException | LinkageError e) {
                // Once: a page that is left open asks every few seconds.
                LOG.log(
                        missed.getAndSet(true) ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
                        "{0}",
                        new Problem(
                                ProblemCode.DFB508,
                                FailureText.of(e),
                                "",
                                "Give the web application CDI, on Open Liberty cdi-4.0"));
                throw Refusal.unavailable("not-ready", "The application has not started, or has no breakers", 5);
            }
            found = room;
        }
        return room;
    }

    private synchronized EventStreams streams() {
        if (streams == null) {
            streams = new EventStreams(room(), clock, LONGEST_STREAM);
        }
        return streams;
    }

    @Override
    public synchronized void destroy() {
        if (streams != null) {
            streams.close();
        }
    }
}
