package io.distributedfallback.simulator;

import java.time.Duration;

/**
 * An answer and its time.
 *
 * @param answer what to say
 * @param delay how long to wait before saying it
 */
record Reply(Answer answer, Duration delay) {

    static Reply atOnce(Answer answer) {
        return new Reply(answer, Duration.ZERO);
    }
}
