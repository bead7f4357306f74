package io.distributedfallback.benchmarks.store;

import java.io.IOException;

/** What a provider that is down answers. Without a stack trace, whose making would be most of what is measured. */
final class ServiceUnavailable extends IOException {

    private static final long serialVersionUID = 1L;

    ServiceUnavailable() {
        super("HTTP 503");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
