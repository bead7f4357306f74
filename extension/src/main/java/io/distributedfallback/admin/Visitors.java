package io.distributedfallback.admin;

import io.distributedfallback.core.AdminAccess;
import jakarta.servlet.http.HttpServletRequest;

/** Who may do what. Whoever is not known to may not. */
final class Visitors {

    private final AdminAccess access;

    Visitors(AdminAccess access) {
        this.access = access;
    }

    /** Lets those in who may look. */
    void admit(HttpServletRequest request) {
        if (!request.isUserInRole(access.role()) && !mayCommand(request)) {
            throw Refusal.forbidden("You do not have the role that this asks for");
        }
    }

    boolean mayCommand(HttpServletRequest request) {
        return request.isUserInRole(access.commandRole());
    }
}
