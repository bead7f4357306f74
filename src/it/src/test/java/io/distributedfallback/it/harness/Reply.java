package io.distributedfallback.it.harness;

import java.time.Duration;

/**
 * What a visitor got.
 *
 * @param status the HTTP status
 * @param body the text
 * @param took from the request to the end of the answer
 */
public record Reply(int status, String body, Duration took) {}
