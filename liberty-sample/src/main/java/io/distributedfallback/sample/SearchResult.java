package io.distributedfallback.sample;

import java.util.List;

/**
 * An answer to a search.
 *
 * @param provider who answered
 * @param titles what was found
 */
public record SearchResult(String provider, List<Title> titles) {}
