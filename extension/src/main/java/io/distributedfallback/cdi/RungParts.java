package io.distributedfallback.cdi;

import io.distributedfallback.FailureClassifier;
import io.distributedfallback.core.Surroundings;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.List;

/**
 * What rungs are made of.
 *
 * @param surroundings threads, time, and who is told
 * @param beans the application's beans
 * @param classifiers the application's own knowledge of failures
 */
record RungParts(Surroundings surroundings, BeanManager beans, List<FailureClassifier> classifiers) {}
