package io.distributedfallback.benchmarks;

import jakarta.enterprise.concurrent.ManagedScheduledExecutorService;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What a server has under its names, and plain Weld has not: a data source and managed executors. Set as the system
 * property {@code java.naming.factory.initial}.
 */
@SuppressWarnings("BanJNDI") // the product looks its resources up, and here is what it finds
public final class Server implements InitialContextFactory {

    /** The system property that holds the address of the database. */
    public static final String DATABASE = "benchmarks.database";

    private static final Map<String, Object> RESOURCES = resources();

    /** Has the names answered by this from now on. */
    public static void start() {
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Server.class.getName());
    }

    private static Map<String, Object> resources() {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(System.getProperty(DATABASE));
        Object executor = managed(Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "managed");
            thread.setDaemon(true);
            return thread;
        }));
        return Map.of(
                "java:comp/DefaultDataSource", database,
                "java:comp/DefaultManagedExecutorService", executor,
                "java:comp/DefaultManagedScheduledExecutorService", executor);
    }

    private static Object managed(ScheduledExecutorService pool) {
        return Proxy.newProxyInstance(
                Server.class.getClassLoader(),
                new Class<?>[] {ManagedScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(pool, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        return new InitialContext(true) {
            @Override
            public Object lookup(String name) throws NamingException {
                Object found = RESOURCES.get(name);
                if (found == null) {
                    throw new NameNotFoundException(name);
                }
                return found;
            }
        };
    }
}
