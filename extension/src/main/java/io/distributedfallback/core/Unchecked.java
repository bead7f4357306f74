package io.distributedfallback.core;

/**
 * Lets a guarded call end in whatever its primary or its fallback threw, declared or not: a checked exception that a
 * handler throws surfaces as what it is.
 */
final class Unchecked {

    private Unchecked() {}

    interface Code<T> {
        T run() throws Throwable;
    }

    static <T> T call(Code<T> code) {
        try {
            return code.run();
        } catch (Throwable thrown) {
            throw sneaky(thrown);
        }
    }

    /** Throws it; never returns. */
    static RuntimeException sneaky(Throwable thrown) {
        return Unchecked.<RuntimeException>asUnchecked(thrown);
    }

    @SuppressWarnings("unchecked") // the type of an exception is not checked at run time
    private static <E extends Throwable> RuntimeException asUnchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
