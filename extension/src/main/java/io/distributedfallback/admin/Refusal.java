package io.distributedfallback.admin;

import java.util.Map;

/** A request that is not answered with what it asks for. The text may be shown to whoever asked. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient Map<String, String> headers;

    private Refusal(int status, String code, String message, Map<String, String> headers) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.headers = headers;
    }

    static Refusal badRequest(String message) {
        return new Refusal(400, "bad-request", message, Map.of());
    }

    static Refusal forbidden(String message) {
        return new Refusal(403, "forbidden", message, Map.of());
    }

    static Refusal crossSite(String message) {
        return new Refusal(403, "not-same-origin", message, Map.of());
    }

    static Refusal notFound(String message) {
        return new Refusal(404, "not-found", message, Map.of());
    }

    static Refusal methodNotAllowed(String allowed) {
        return new Refusal(405, "method-not-allowed", "Allowed here: " + allowed, Map.of("Allow", allowed));
    }

    static Refusal tooLarge(int most) {
        return new Refusal(413, "too-large", "The body has more than " + most + " bytes", Map.of());
    }

    static Refusal internal() {
        return new Refusal(500, "internal", "Something went wrong here; the log of the server says what", Map.of());
    }

    static Refusal unavailable(String code, String message, int retryAfterSeconds) {
        return new Refusal(503, code, message, Map.of("Retry-After", Integer.toString(retryAfterSeconds)));
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }

    Map<String, String> headers() {
        return headers;
    }

    /** What the answer says. */
    Map<String, ?> body() {
        return Map.of("error", Map.of("code", code, "message", getMessage()));
    }
}
