package io.distributedfallback.simulator;

import jakarta.json.JsonStructure;
import java.util.Map;

/**
 * An HTTP response.
 *
 * @param status the status
 * @param contentType the type of the body
 * @param body the body
 * @param headers further headers
 */
record Answer(int status, String contentType, String body, Map<String, String> headers) {

    static Answer json(int status, JsonStructure body) {
        return new Answer(status, "application/json", body.toString(), Map.of());
    }

    static Answer text(int status, String body) {
        return new Answer(status, "text/plain", body, Map.of());
    }

    Answer with(String header, String value) {
        return new Answer(status, contentType, body, Map.of(header, value));
    }
}
