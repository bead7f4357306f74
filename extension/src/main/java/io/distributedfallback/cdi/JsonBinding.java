package io.distributedfallback.cdi;

/** Whether an application has JSON-B; asked before a class that needs it is loaded. */
final class JsonBinding {

    private JsonBinding() {}

    static boolean isPresent(ClassLoader loader) {
        try {
            Class.forName("jakarta.json.bind.JsonbBuilder", false, loader);
            Class.forName("jakarta.json.Json", false, loader);
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
