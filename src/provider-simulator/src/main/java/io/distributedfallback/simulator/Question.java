package io.distributedfallback.simulator;

import java.util.Map;
import java.util.Optional;

/**
 * A request to a provider.
 *
 * @param method the HTTP method
 * @param path the path below the provider's name, with a slash at the start
 * @param parameters the first value of each query parameter
 * @param headers by name, whatever its case
 * @param body the text of the body, empty if there is none
 */
record Question(String method, String path, Map<String, String> parameters, Map<String, String> headers, String body) {

    Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name)).filter(value -> !value.isBlank());
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name)).filter(value -> !value.isBlank());
    }

    /** The number at the end of the path, if what comes before it is this collection. */
    Optional<Integer> idUnder(String collection) {
        if (!path.startsWith(collection + "/")) {
            return Optional.empty();
        }
        return wholeNumber(path.substring(collection.length() + 1));
    }

    /** A page size: at least 1, at most what the provider allows. */
    int limit(String name, int absent, int most) {
        int asked = parameter(name).flatMap(Question::wholeNumber).orElse(absent);
        return Math.max(1, Math.min(asked, most));
    }

    static Optional<Integer> wholeNumber(String text) {
        return text.matches("\\d{1,9}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
