package io.distributedfallback.cdi;

import io.distributedfallback.DistributedFallback;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A handler that throws a checked exception which neither it nor the guarded method declares, as code that is not Java can. */
class UndeclaredExceptionTest {

    private WeldContainer container;
    private Config config;

    @BeforeEach
    void start() {
        Map<String, String> settings = Map.of("distributed-fallback.store", "memory");
        config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
        ConfigProviderResolver.instance()
                .registerConfig(config, Thread.currentThread().getContextClassLoader());
        container = new Weld()
                .disableDiscovery()
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(DistributedFallbackInterceptor.class, Games.class)
                .initialize();
    }

    @AfterEach
    void stop() {
        container.close();
        ConfigProviderResolver.instance().releaseConfig(config);
    }

    @Test
    void a_checked_exception_that_no_method_declares_surfaces_from_a_handler_as_what_it_is() { // D12
        Games games = container.select(Games.class).get();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(games::search)
                    .isExactlyInstanceOf(ConnectException.class)
                    .satisfies(primary -> assertThatThrownBy(() -> {
                                throw primary.getSuppressed()[0];
                            })
                            .isExactlyInstanceOf(HttpTimeoutException.class));
        }
        assertThatThrownBy(games::search)
                .as("now that the breaker is open the handler's own exception is the caller's")
                .isExactlyInstanceOf(HttpTimeoutException.class)
                .hasNoCause();
    }

    @ApplicationScoped
    static class Games {

        @DistributedFallback(breaker = "rawg", value = Undeclared.class)
        String search() {
            throw Undeclared.<RuntimeException>unchecked(new ConnectException("refused"));
        }
    }

    static class Undeclared implements FallbackHandler<String> {

        @Override
        public String handle(ExecutionContext context) {
            throw Undeclared.<RuntimeException>unchecked(new HttpTimeoutException("late"));
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        static <X extends Exception> X unchecked(Exception checked) throws X {
            throw (X) checked;
        }
    }
}
