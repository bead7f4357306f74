package io.distributedfallback.admin;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.ControlRoom;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
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
    private static final String BREAKERS = "/api/breakers";

    private final transient Visitors visitors;
    private final transient Supplier<ControlRoom> lookup;
    private final transient InstantSource clock;
    private transient volatile ControlRoom found;

    /**
     * @param lookup finds what it shows; asked with the first request that needs it
     * @param clock for texts
     */
    AdminServlet(AdminAccess access, Supplier<ControlRoom> lookup, InstantSource clock) {
        this.visitors = new Visitors(access);
        this.lookup = lookup;
        this.clock = clock;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Replies.setHeaders(response);
        try {
            visitors.admit(request);
            answer(request, response);
        } catch (Refusal refusal) {
            Replies.refuse(request, response, refusal);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo();
        if (path == null) {
            requireGet(request);
            // Without the slash, what the page asks for would be looked up one step too high.
            response.sendRedirect(request.getContextPath() + request.getServletPath() + "/");
            return;
        }
        Optional<PageFiles.File> file = PageFiles.find(path);
        if (file.isPresent()) {
            requireGet(request);
            Replies.send(request, response, file.get().type(), file.get().bytes());
        } else if (path.equals(BREAKERS)) {
            requireGet(request);
            boolean mayCommand = visitors.mayCommand(request);
            Replies.json(request, response, 200, new BreakerList(room(), clock.instant()).of(request, mayCommand));
        } else {
            throw Refusal.notFound("There is nothing here");
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
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "no breakers for the admin", e);
                throw Refusal.unavailable("not-ready", "The application has not started, or has no breakers", 5);
            }
            found = room;
        }
        return room;
    }
}
