package io.distributedfallback.store;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The part of PostgreSQL's JDBC driver that tells of notifications, found by its name: neither this jar nor the application
 * need see the driver, which on most servers belongs to the data source.
 *
 * <p>The class loader asked first is that of something the driver itself has made, which pools hand out as it is; then
 * those of this jar and of the thread. A connection is not asked to unwrap what it is no wrapper of: Open Liberty would
 * file a report of the failure.
 */
final class DriverNotices {

    private static final String CONNECTION = "org.postgresql.PGConnection";
    private static final String NOTICE = "org.postgresql.PGNotification";

    private final Object driver;
    private final Method get;
    private final Method channel;
    private final Method payload;

    private DriverNotices(Object driver, Class<?> connection, Class<?> notice) throws NoSuchMethodException {
        this.driver = driver;
        get = connection.getMethod("getNotifications", int.class);
        channel = notice.getMethod("getName");
        payload = notice.getMethod("getParameter");
    }

    /** One that was heard. */
    record Notice(String channel, String payload) {}

    /**
     * Those of a connection.
     *
     * @return empty if it is not one of PostgreSQL's driver, as far as can be seen
     */
    static Optional<DriverNotices> of(Connection connection) throws SQLException {
        for (ClassLoader loader : loaders(connection)) {
            try {
                Class<?> type = Class.forName(CONNECTION, false, loader);
                if (connection.isWrapperFor(type)) {
                    return Optional.of(
                            new DriverNotices(connection.unwrap(type), type, Class.forName(NOTICE, false, loader)));
                }
            } catch (ReflectiveOperationException | LinkageError notThere) {
                // The next one may have it.
            }
        }
        return Optional.empty();
    }

    private static List<ClassLoader> loaders(Connection connection) {
        List<ClassLoader> loaders = new ArrayList<>();
        Stream.of(
                        driversOwn(connection),
                        DriverNotices.class.getClassLoader(),
                        Thread.currentThread().getContextClassLoader())
                .filter(Objects::nonNull)
                .forEach(loaders::add);
        return loaders;
    }

    private static ClassLoader driversOwn(Connection connection) {
        try {
            Array made = connection.createArrayOf("text", new String[0]);
            ClassLoader loader = made.getClass().getClassLoader();
            made.free();
            return loader;
        } catch (SQLException | RuntimeException notSupported) {
            return null;
        }
    }

    /**
     * Waits for notices.
     *
     * @param millis for so long at most; less than 0 for not at all
     * @return those that have come; empty if there are none
     */
    List<Notice> await(int millis) throws SQLException {
        Object[] heard = (Object[]) call(get, driver, millis);
        List<Notice> notices = new ArrayList<>();
        for (Object notice : heard == null ? new Object[0] : heard) {
            notices.add(new Notice((String) call(channel, notice), (String) call(payload, notice)));
        }
        return notices;
    }

    private static Object call(Method method, Object target, Object... arguments) throws SQLException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof SQLException sql) {
                throw sql;
            }
            throw new SQLException(cause);
        } catch (IllegalAccessException closedToUs) {
            throw new SQLException(closedToUs);
        }
    }
}
