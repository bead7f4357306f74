package io.distributedfallback.it.cluster;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A test that takes the {@link Cluster} as a parameter. All of them share one, started by the first. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ClusterTest.SharedCluster.class)
@interface ClusterTest {

    /** Starts the cluster once, and stops it at the end of the run, also of one that failed. */
    final class SharedCluster implements ParameterResolver {

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Cluster.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(Cluster.class))
                    .getOrComputeIfAbsent(Cluster.class, key -> new Start(), Start.class)
                    .cluster();
        }
    }

    /** The one attempt to start the cluster: a second one would fail like the first, and take as long. */
    final class Start implements AutoCloseable {

        private Cluster cluster;
        private RuntimeException failure;

        Start() {
            try {
                cluster = new Cluster();
            } catch (RuntimeException e) {
                failure = e;
            }
        }

        Cluster cluster() {
            if (failure != null) {
                throw new IllegalStateException("the cluster did not start", failure);
            }
            return cluster;
        }

        @Override
        public void close() {
            if (cluster != null) {
                cluster.close();
            }
        }
    }
}
