package io.distributedfallback.cdi;

import io.distributedfallback.core.Surroundings;
import io.distributedfallback.queue.CallQueues;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Optional;

/**
 * What rungs are made of.
 *
 * @param surroundings threads, time, and who is told
 * @param beans the application's beans
 * @param queues where calls wait; empty if the breakers are in memory
 */
record RungParts(Surroundings surroundings, BeanManager beans, Optional<CallQueues> queues) {}
