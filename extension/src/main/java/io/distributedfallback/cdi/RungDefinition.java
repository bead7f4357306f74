package io.distributedfallback.cdi;

/** A rung that has been declared and found usable; it is made when the breakers of the application are. */
@FunctionalInterface
interface RungDefinition {

    Rung make(RungParts parts);
}
