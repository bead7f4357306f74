package io.distributedfallback.lastgood;

/** Caffeine, which an application brings if it keeps results. */
public final class CacheLibrary {

    /** Its Maven coordinates. */
    public static final String COORDINATES = "com.github.ben-manes.caffeine:caffeine:3";

    private static final String ENTRANCE = "com.github.benmanes.caffeine.cache.Caffeine";

    private CacheLibrary() {}

    /** Whether it is there for the classes of this package; what only the application's other loaders see does not help. */
    public static boolean isPresent() {
        try {
            Class.forName(ENTRANCE, false, CacheLibrary.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
