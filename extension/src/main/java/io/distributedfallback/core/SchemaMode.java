package io.distributedfallback.core;

/** What the store does about its tables when it is used first. */
public enum SchemaMode {
    /** Checks that they are there and have the columns that are needed. */
    VALIDATE,
    /** Creates what is missing; safe when many instances start together. */
    CREATE,
    /** Neither: trusts that they fit. */
    NONE
}
