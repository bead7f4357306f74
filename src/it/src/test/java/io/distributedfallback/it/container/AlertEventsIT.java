package io.distributedfallback.it.container;

import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Alerts of an outage on a server: its threads, its timer and its events, with observers that fail. */
@ExtendWith(ArquillianExtension.class)
class AlertEventsIT {

    @Inject
    Flaky flaky;

    @Inject
    Pager pager;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("alerts", Flaky.class, Pager.class),
                "distributed-fallback.store=memory",
                // A test is one long request, and without this a probe waits for its end.
                "distributed-fallback.breaker.flaky.probe-trigger=background",
                "distributed-fallback.alerts.open-for=500ms");
    }

    @Test
    void an_outage_is_told_when_it_begins_when_it_lasts_and_when_it_is_over() {
        until("it has opened and has been open for long", () -> {
            flaky.ask();
            return pager.pages().size() == 2 && pager.mails().size() == 2;
        });
        assertEquals(List.of("+OPENED", "+OPEN_FOR_LONG"), pager.pages());
        flaky.mend();
        // No more calls: one that notices that a probe is due keeps it for the end of this request for 10 s.
        until("it has closed", () -> pager.pages().size() == 4 && pager.mails().size() == 4);
        assertEquals("primary", flaky.ask());
        Set<String> all = Set.of("+OPENED", "+OPEN_FOR_LONG", "-OPENED", "-OPEN_FOR_LONG");
        assertEquals(all, Set.copyOf(pager.pages()));
        assertEquals(all, Set.copyOf(pager.mails()));
    }

    private static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                throw new AssertionError("not in time: " + what);
            }
            LockSupport.parkNanos(20_000_000);
        }
    }
}
