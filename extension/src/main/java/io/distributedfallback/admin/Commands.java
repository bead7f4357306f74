package io.distributedfallback.admin;

import io.distributedfallback.BreakerStatus;
import io.distributedfallback.CommandFailedException;
import io.distributedfallback.OperatorCommand;
import io.distributedfallback.core.ControlRoom;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.Principal;
import java.util.function.Supplier;

/** Takes an operator's command: first whether it may be given at all, then what it says, then whether it can be done. */
final class Commands {

    static final int MOST_BYTES = 16 * 1024;

    private static final System.Logger LOG = System.getLogger("io.distributedfallback");

    private final Visitors visitors;
    private final Supplier<ControlRoom> room;

    Commands(Visitors visitors, Supplier<ControlRoom> room) {
        this.visitors = visitors;
        this.room = room;
    }

    /** Carries it out, and answers how the breaker is after it. */
    BreakerStatus carryOut(HttpServletRequest request) {
        String by = operator(request);
        CommandText text = CommandText.parse(body(request));
        OperatorCommand command = text.command(by);
        try {
            room.get().refresh();
            return room.get()
                    .command(text.breaker(), command)
                    .orElseThrow(() -> Refusal.notFound("There is no such breaker"));
        } catch (CommandFailedException e) {
            throw Refusal.unavailable("store-unavailable", e.getMessage(), 5);
        }
    }

    /** The name of whoever asks, if a command may be given at all. */
    String operator(HttpServletRequest request) {
        Principal principal = request.getUserPrincipal();
        try {
            if (principal == null || !visitors.mayCommand(request)) {
                throw Refusal.forbidden("You do not have the role that commands ask for");
            }
            Origins.requireSame(request);
        } catch (Refusal refusal) {
            tell(principal, refusal);
            throw refusal;
        }
        return nameOf(principal);
    }

    private static void tell(Principal principal, Refusal refusal) {
        if (principal != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0}",
                    new Problem(
                            ProblemCode.DFB414,
                            nameOf(principal),
                            refusal.code(),
                            "If that was meant to be, bind distributed-fallback.admin.command-role to the user on the"
                                    + " server, and send the headers that a command needs"));
        }
    }

    /** Directories have long names for people. */
    private static String nameOf(Principal principal) {
        String name = FailureText.oneLine(String.valueOf(principal.getName())).strip();
        if (name.length() <= OperatorCommand.LONGEST_NAME) {
            return name;
        }
        int end = OperatorCommand.LONGEST_NAME - 1;
        return name.substring(0, Character.isHighSurrogate(name.charAt(end - 1)) ? end - 1 : end) + '…';
    }

    static byte[] body(HttpServletRequest request) {
        // What is a little too long is read all the same: a server may cut the connection of a body that nobody wanted,
        // and
        // with it the answer.
        if (request.getContentLengthLong() > 2L * MOST_BYTES) {
            throw Refusal.tooLarge(MOST_BYTES);
        }
        byte[] body = read(request);
        if (body.length > MOST_BYTES) {
            throw Refusal.tooLarge(MOST_BYTES);
        }
        return body;
    }

    /** One that breaks off, or never comes, is the fault of whoever sent it, and the server's own page is no JSON. */
    private static byte[] read(HttpServletRequest request) {
        try {
            return request.getInputStream().readNBytes(MOST_BYTES + 1);
        } catch (IOException e) {
            throw Refusal.badRequest("The body cannot be read to its end");
        }
    }
}
