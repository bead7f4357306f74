package io.distributedfallback.core;

/**
 * A failure has been classified and told.
 *
 * @param usesFallback whether the fallback answers; otherwise the caller gets the failure
 * @param written the write of it, which the caller does not leave behind
 */
record Recorded(boolean usesFallback, Written written) {}
