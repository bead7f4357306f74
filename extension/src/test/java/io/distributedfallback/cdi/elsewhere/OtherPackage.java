package io.distributedfallback.cdi.elsewhere;

/** A superclass in a package of its own. */
public class OtherPackage {

    /** Fits, but cannot be seen from a subclass in another package. */
    String hidden(int number, Long other) {
        return "hidden";
    }

    protected String inherited(int number, Long other) {
        return "fallback";
    }
}
