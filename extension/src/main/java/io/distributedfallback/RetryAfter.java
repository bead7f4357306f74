package io.distributedfallback;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** How long a provider asks callers to keep away (RFC 9110, section 10.2.3). */
public sealed interface RetryAfter {

    /**
     * For a time from now on.
     *
     * @param delay not negative
     */
    record In(Duration delay) implements RetryAfter {
        public In {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("a delay must not be negative: " + delay);
            }
        }
    }

    /**
     * Until a moment, which is held against the store's clock and never against that of the instance.
     *
     * @param moment the end of the pause
     */
    record At(Instant moment) implements RetryAfter {
        public At {
            Objects.requireNonNull(moment, "moment");
        }
    }
}
