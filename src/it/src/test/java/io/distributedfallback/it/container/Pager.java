package io.distributedfallback.it.container;

import io.distributedfallback.BreakerAlert;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down the alerts that it gets, and fails to pass them on. */
@ApplicationScoped
public class Pager {

    private final List<String> pages = new CopyOnWriteArrayList<>();
    private final List<String> mails = new CopyOnWriteArrayList<>();

    void page(@Observes BreakerAlert alert) {
        pages.add(text(alert));
        throw new IllegalStateException("the pager does not answer");
    }

    void mail(@ObservesAsync BreakerAlert alert) {
        mails.add(text(alert));
        throw new IllegalStateException("the mail server does not answer");
    }

    private static String text(BreakerAlert alert) {
        return (alert.active() ? "+" : "-") + alert.kind();
    }

    List<String> pages() {
        return pages;
    }

    List<String> mails() {
        return mails;
    }
}
