package io.distributedfallback.it.container.place;

import jakarta.inject.Qualifier;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Keeps a backup apart from what callers inject. */
@Qualifier
@Retention(RetentionPolicy.RUNTIME)
public @interface Spare {}
