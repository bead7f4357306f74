package io.distributedfallback.it.faults;

import io.distributedfallback.it.faults.app.Shop;
import java.util.LinkedHashMap;
import java.util.Map;

/** What all instances of a cluster are told, as system properties. */
final class ClusterSettings {

    private ClusterSettings() {}

    static Map<String, String> all() {
        Map<String, String> settings = new LinkedHashMap<>();
        String catalogue = "distributed-fallback.breaker." + Shop.CATALOGUE + '.';
        settings.put(catalogue + "probe-interval", "400ms");
        settings.put(catalogue + "probe-timeout", "900ms");
        settings.put(catalogue + "probe-lease", "2s");
        settings.put("distributed-fallback.breaker." + Shop.LEDGER + ".failure-threshold", "2000000000");
        settings.put("distributed-fallback.snapshot.fresh", "1s");
        settings.put("distributed-fallback.schema", "create");
        settings.put("light.connections", "5");
        settings.put("light.connection-timeout", "1000");
        settings.put("java.util.logging.config.file", System.getProperty("java.util.logging.config.file", ""));
        return settings;
    }
}
