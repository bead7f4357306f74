package io.distributedfallback.observe;

/**
 * One of the things by which a metric is split: a tag, or an attribute.
 *
 * @param name what
 * @param value of which there is a bounded number
 */
record Label(String name, String value) {}
