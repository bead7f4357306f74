package io.distributedfallback.store;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * Finds the data source when the first connection is wanted. So the persistence unit can be built ahead, while an
 * application starts, at a time when a server may not have its data sources yet (Open Liberty's InstantOn).
 */
final class LazyDataSource implements DataSource {

    private final Supplier<DataSource> lookUp;
    private volatile DataSource found;

    LazyDataSource(Supplier<DataSource> lookUp) {
        this.lookUp = lookUp;
    }

    private DataSource found() throws SQLException {
        DataSource known = found;
        if (known == null) {
            try {
                known = Objects.requireNonNull(lookUp.get(), "nothing there");
            } catch (RuntimeException failure) {
                throw new NotFound(failure);
            }
            found = known;
        }
        return known;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return found().getConnection();
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return found().getConnection(user, password);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return found().getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        found().setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        found().setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return found().getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(found()) ? type.cast(found()) : found().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(found()) || found().isWrapperFor(type);
    }

    /** There is no data source of that name, or nothing that is one. */
    static final class NotFound extends SQLException {

        private static final long serialVersionUID = 1L;

        NotFound(RuntimeException reason) {
            super(reason.getMessage(), reason);
        }
    }
}
