package io.distributedfallback.cdi;

import io.distributedfallback.core.Surroundings;
import jakarta.enterprise.inject.spi.BeanManager;

/**
 * What rungs are made of.
 *
 * @param surroundings threads, time, and who is told
 * @param beans the application's beans
 */
record RungParts(Surroundings surroundings, BeanManager beans) {}
