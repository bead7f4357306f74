package io.distributedfallback.admin;

import io.distributedfallback.core.AdminEntrance;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the jar puts into a web application, by what the application's configuration says. */
class AdminInitializerTest {

    private static final String KEY = "distributed-fallback.admin.";

    /** The mappings of the admin's servlet in an application with these settings; null if there is none. */
    private static Iterable<String> mappings(Map<String, String> settings) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[0], AdminInitializerTest.class.getClassLoader())) {
            Config config = new SmallRyeConfigBuilder()
                    .withSources(new PropertiesConfigSource(settings, "test", 100))
                    .build();
            ConfigProviderResolver.instance().registerConfig(config, loader);
            Server server = new Server();
            try {
                ServletContextHandler context = new ServletContextHandler("/shop");
                context.setClassLoader(loader);
                context.addServletContainerInitializer(new AdminInitializer());
                server.setHandler(context);
                server.start();
                var servlet = context.getServletContext().getServletRegistration("io.distributedfallback.admin");
                return servlet == null ? null : servlet.getMappings();
            } finally {
                server.stop();
                ConfigProviderResolver.instance().releaseConfig(config);
            }
        }
    }

    @Test
    void nothing_unless_it_is_switched_on_and_has_a_role() throws Exception {
        assertThat(mappings(Map.of())).isNull();
        assertThat(mappings(Map.of(KEY + "role", "viewer"))).isNull();
        assertThat(mappings(Map.of(KEY + "enabled", "true"))).isNull();
        assertThat(mappings(Map.of(KEY + "enabled", "true", KEY + "role", "**")))
                .isNull();
    }

    @Test
    void the_servlet_at_the_path_that_it_is_told() throws Exception {
        Map<String, String> settings = new HashMap<>(Map.of(KEY + "enabled", "true", KEY + "role", "viewer"));
        assertThat(mappings(settings)).containsExactly("/distributed-fallback/*");
        settings.put(KEY + "path", "/ops/breakers");
        assertThat(mappings(settings)).containsExactly("/ops/breakers/*");
    }

    @Test
    void a_server_that_has_asked_for_it_is_known_to_have_done_so() throws Exception {
        assertThat(mappings(Map.of())).isNull();
        assertThat(AdminEntrance.isOpen()).isTrue();
    }

    @Test
    void the_jar_does_not_register_it_because_servers_without_servlets_could_not_start_the_application() {
        assertThat(AdminInitializer.class.getResource("/META-INF/services/jakarta.servlet.ServletContainerInitializer"))
                .satisfiesAnyOf(
                        none -> assertThat(none).isNull(),
                        others -> assertThat(others.toString()).doesNotContain("/extension/target/classes/"));
    }
}
