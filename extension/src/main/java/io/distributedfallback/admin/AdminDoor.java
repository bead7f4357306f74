package io.distributedfallback.admin;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.servlet.ServletContext;
import java.util.function.Supplier;

/**
 * The way into this package, for servers that may lack the Servlet API: it is not touched unless somebody wants the admin.
 */
public final class AdminDoor {

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private AdminDoor() {}

    /**
     * Puts the admin into a web application.
     *
     * @param context what the container has initialized: the {@code ServletContext} of a web application, or anything else,
     *     and then nothing is done
     * @param access where it is, and for whom
     * @param room finds what it shows; asked with the first request
     */
    public static void open(Object context, AdminAccess access, Supplier<ControlRoom> room) {
        try {
            if (context instanceof ServletContext web) {
                Registration.serve(web, access, room);
            }
        } catch (LinkageError | IllegalStateException | UnsupportedOperationException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}",
                    new Problem(
                            ProblemCode.DFB506,
                            FailureText.of(e),
                            "",
                            "Give the server the Servlet API, on Open Liberty servlet-6.0 or appSecurity-5.0"));
        }
    }
}
