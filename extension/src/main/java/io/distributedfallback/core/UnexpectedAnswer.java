package io.distributedfallback.core;

import java.io.IOException;

/** An answer over HTTP with a status that is no success. */
final class UnexpectedAnswer extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient HttpAnswer answer;

    UnexpectedAnswer(HttpAnswer answer) {
        super("HTTP " + answer.status());
        this.answer = answer;
    }

    HttpAnswer answer() {
        return answer;
    }
}
