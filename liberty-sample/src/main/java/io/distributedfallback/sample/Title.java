package io.distributedfallback.sample;

import java.util.List;

/**
 * What the catalogue shows of a game or an anime, whichever provider knew it.
 *
 * @param name the name
 * @param year of release, 0 if not known
 * @param score out of 100, 0 if not known
 * @param tags genres and the like
 */
public record Title(String name, int year, int score, List<String> tags) {}
