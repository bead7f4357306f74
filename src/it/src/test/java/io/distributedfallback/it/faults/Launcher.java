package io.distributedfallback.it.faults;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts instances of one cluster, each with a name that no other has had. */
final class Launcher {

    private static final Map<String, String> SETTINGS = ClusterSettings.all();

    private final Path folder;
    private final Database database;
    private final String provider;
    private final AtomicInteger births = new AtomicInteger();
    private volatile String classPath;

    /**
     * Makes one.
     *
     * @param folder where journals and logs go
     * @param provider its URL
     */
    Launcher(Path folder, Database database, String provider, String classPath) {
        this.folder = folder;
        this.database = database;
        this.provider = provider;
        this.classPath = classPath;
    }

    /** Whatever instance is started from now on has that class path. */
    void startFrom(String next) {
        classPath = next;
    }

    /** Starts one and does not wait for it. */
    Instance launch(int place, Map<String, String> settings, Map<String, String> environment) {
        Map<String, String> merged = new LinkedHashMap<>(SETTINGS);
        merged.putAll(settings);
        return Instance.start(new Instance.Launch(
                "node-" + place + '-' + births.incrementAndGet(),
                folder,
                database.url(place),
                provider,
                merged,
                environment,
                classPath));
    }
}
