package io.distributedfallback.core;

import io.distributedfallback.Degraded;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The header that tells clients what answered instead of primaries.
 *
 * @param name its name; empty if there is to be none
 * @param request what is noted of the request that the calling thread serves; empty if it serves none
 */
public record DegradedHeader(Optional<String> name, Supplier<Optional<Degraded>> request) {}
