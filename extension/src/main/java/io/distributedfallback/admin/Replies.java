package io.distributedfallback.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Sends answers, all with the same strict headers. */
final class Replies {

    /** Nothing but what comes from here, nothing inline, in no frame, and no form that leads anywhere. */
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

    private Replies() {}

    static void setHeaders(HttpServletResponse response) {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }

    static void json(HttpServletRequest request, HttpServletResponse response, int status, Object body)
            throws IOException {
        response.setStatus(status);
        send(request, response, "application/json", JsonText.of(body).getBytes(StandardCharsets.UTF_8));
    }

    static void refuse(HttpServletRequest request, HttpServletResponse response, Refusal refusal) throws IOException {
        refusal.headers().forEach(response::setHeader);
        json(request, response, refusal.status(), refusal.body());
    }

    /** @param type of a text */
    static void send(HttpServletRequest request, HttpServletResponse response, String type, byte[] body)
            throws IOException {
        response.setContentType(type);
        response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
