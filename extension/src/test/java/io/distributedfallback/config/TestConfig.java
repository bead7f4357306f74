package io.distributedfallback.config;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigSource;

/** Real MicroProfile Configs with just the given properties. */
final class TestConfig {

    private TestConfig() {}

    /** A config of keys and values in turn. */
    static Config of(String... keysAndValues) {
        return changing(mapOf(keysAndValues));
    }

    /** A config that follows a map. */
    static Config changing(Map<String, String> properties) {
        return builder().withSources(new Properties(properties)).build();
    }

    /** A config of environment variables and properties. */
    static SmallRyeConfig ofEnvironment(Map<String, String> variables, String... keysAndValues) {
        return builder()
                .withSources(new EnvConfigSource(variables, 300), new Properties(mapOf(keysAndValues)))
                .build();
    }

    static Map<String, String> mapOf(String... keysAndValues) {
        Map<String, String> map = new ConcurrentHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    static Configuration configuration(Config config) {
        return new Configuration(config, TestConfig.class.getClassLoader(), () -> "instance-1");
    }

    static Configuration configuration(String... keysAndValues) {
        return configuration(of(keysAndValues));
    }

    private static SmallRyeConfigBuilder builder() {
        return new SmallRyeConfigBuilder().addDefaultInterceptors();
    }

    /** A source that follows its map. */
    private record Properties(Map<String, String> map) implements ConfigSource {

        @Override
        public Set<String> getPropertyNames() {
            return map.keySet();
        }

        @Override
        public String getValue(String name) {
            return map.get(name);
        }

        @Override
        public String getName() {
            return "test.properties";
        }
    }
}
