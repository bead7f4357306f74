package io.distributedfallback.it.light;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
import javax.sql.DataSource;

/**
 * What a server has under its names, and plain Weld has not: a pool of connections, and threads. The system properties
 * {@code light.connections} and {@code light.threads} say how many, {@code light.connection-timeout} how many
 * milliseconds somebody waits for a connection.
 */
public final class Names implements InitialContextFactory {

    /** The system property that names the database. */
    public static final String DATABASE_URL = "light.database";

    private static final int CONNECTIONS = Integer.getInteger("light.connections", 12);
    private static final int MANAGED_THREADS = Integer.getInteger("light.threads", 6);
    private static final DataSource DATABASE = pool();
    private static final Map<String, Object> RESOURCES = resources();

    public static DataSource database() {
        return DATABASE;
    }

    private static DataSource pool() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(System.getProperty(DATABASE_URL));
        config.setMaximumPoolSize(CONNECTIONS);
        // A pool that wants to stay full leaves a database that was away alone for up to 5 s, whoever waits for it.
        config.setMinimumIdle(0);
        config.setConnectionTimeout(Integer.getInteger("light.connection-timeout", 2_000));
        // An instance starts also while the database is away.
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static Map<String, Object> resources() {
        Object executor = managed(Executors.newScheduledThreadPool(MANAGED_THREADS, task -> {
            Thread thread = new Thread(task, "managed");
            thread.setDaemon(true);
            return thread;
        }));
        return Map.of(
                "java:comp/DefaultDataSource", DATABASE,
                "java:comp/DefaultManagedExecutorService", executor,
                "java:comp/DefaultManagedScheduledExecutorService", executor);
    }

    private static Object managed(ScheduledExecutorService pool) {
        return Proxy.newProxyInstance(
                Names.class.getClassLoader(),
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
