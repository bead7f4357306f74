package io.distributedfallback.limit;

import io.distributedfallback.core.FailureRules;
import io.distributedfallback.core.Policy;
import java.util.function.Supplier;

/**
 * The guarded method whose fallback has a limit.
 *
 * @param breaker the name of its breaker
 * @param rules how failures are judged, also those of the fallback
 * @param policy for how long a pause may be
 * @param endsLater whether what it returns, a stage or a future, is not its outcome yet
 */
public record LimitedMethod(String breaker, FailureRules rules, Supplier<Policy> policy, boolean endsLater) {}
