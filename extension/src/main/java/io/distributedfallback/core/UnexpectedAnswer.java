package io.distributedfallback.core;

import java.io.IOException;
import java.util.Optional;

/** An HTTP status that is no success. */
final class UnexpectedAnswer extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String retryAfter;
    private final String date;

    UnexpectedAnswer(int status, Optional<String> retryAfter, Optional<String> date) {
        super("HTTP " + status);
        this.status = status;
        this.retryAfter = retryAfter.orElse(null);
        this.date = date.orElse(null);
    }

    int status() {
        return status;
    }

    Optional<String> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    Optional<String> date() {
        return Optional.ofNullable(date);
    }
}
