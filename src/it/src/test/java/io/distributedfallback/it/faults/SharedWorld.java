package io.distributedfallback.it.faults;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One world for all classes that ask for it, and that run one after the other by holding {@link #LOCK}. The first of them
 * starts it; visitors are there only while one of them runs; it ends with the last test of all.
 */
final class SharedWorld implements BeforeAllCallback, AfterAllCallback, ParameterResolver {

    static final String LOCK = "the shared world";

    private static final Namespace NAMESPACE = Namespace.create(SharedWorld.class);
    private static final int INSTANCES = 3;

    /** Ends with the store that it is in. */
    private record Kept(World world) implements AutoCloseable {

        @Override
        public void close() {
            world.close();
        }
    }

    private static World world(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(LOCK, key -> new Kept(open()), Kept.class)
                .world();
    }

    private static World open() {
        World world = World.open("shared", new CabledPostgres(INSTANCES), INSTANCES);
        world.rest();
        return world;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        world(context).goOn();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        world(context).rest();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == World.class;
    }

    @Override
    public World resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return world(context);
    }
}
