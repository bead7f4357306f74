package io.distributedfallback.it.server;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A test that takes the {@link CrowdedServer} as a parameter. All of them share one, started by the first, and use it one
 * after the other, beside tests of other faults.
 */
@Tag("faults")
@ResourceLock("crowded server")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ServerTest.SharedServer.class)
@interface ServerTest {

    /** Starts the server once, and stops it at the end of the run, also of one that failed. */
    final class SharedServer implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == CrowdedServer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(CrowdedServer.class))
                    .getOrComputeIfAbsent(CrowdedServer.class, key -> new Start(), Start.class)
                    .server();
        }
    }

    /** The one attempt to start it: a second one would fail like the first, and take as long. */
    final class Start implements AutoCloseable {

        private CrowdedServer server;
        private RuntimeException failure;

        Start() {
            try {
                server = new CrowdedServer();
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        CrowdedServer server() {
            if (failure != null) {
                throw new IllegalStateException("the server did not start", failure);
            }
            return server;
        }

        @Override
        public void close() {
            if (server != null) {
                server.close();
            }
        }
    }
}
