package io.distributedfallback;

/**
 * A provider refuses us (401, 403, 407): most likely a missing or expired key. Fired as a CDI event, synchronously and
 * asynchronously, when it is seen first and then at most once a minute for a breaker on each instance, on a managed
 * thread that no caller waits for.
 *
 * @param breaker the breaker's name
 * @param failure what the provider said: one line, cut, with secrets masked
 */
public record ProviderMisconfigured(String breaker, String failure) {}
