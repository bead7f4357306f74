package io.distributedfallback.store;

import io.distributedfallback.core.Background;
import io.distributedfallback.core.ChangeFeed;
import io.distributedfallback.core.MonotonicClock;
import io.distributedfallback.core.StoreException;
import io.distributedfallback.store.DriverNotices.Notice;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Hears of changes by PostgreSQL's {@code LISTEN}. A trigger of the tables notifies, in the transaction of the change.
 *
 * <ol>
 *   <li>A connection of its own is taken from the data source, and kept for as long as it listens.
 *   <li>It is tried out: it listens to a channel with a random name, another thread notifies that on another connection, and
 *       the notice must come within {@value #LONGEST_ECHO} ms. Behind a pooler that gives each transaction another
 *       connection it does not. The name is random so that what stays behind there, listening, hears nothing ever again.
 *   <li>The other connection must be had within {@value #LONGEST_WAIT} ms: with a pool of one connection, all that the
 *       instance writes and reads waits meanwhile.
 *   <li>Then it listens to {@value #CHANNEL}. The thread waits in pieces of {@value #SLICE} ms, for on most virtual machines
 *       a thread that waits for a socket cannot be interrupted.
 *   <li>After {@value #QUIET} ms of silence the connection is asked whether it is still one: between it and the database
 *       there may be something that forgets connections.
 * </ol>
 */
public final class NotifyFeed implements ChangeFeed {

    /** What the trigger notifies; the payload is the breaker's name as stored. */
    static final String CHANNEL = "distributed_breaker";

    private static final int SLICE = 250;
    private static final long QUIET = 30_000;
    private static final long LONGEST_ECHO = 3_000;
    static final long LONGEST_WAIT = 500;

    /** A pool that is busy gives a second connection when it is asked again; one that is too small never does. */
    private static final int TRIES = 3;

    private final LazyDataSource dataSource;
    private final String prefix;
    private final StoreErrors errors;
    private final Background background;
    private final MonotonicClock clock;
    private final long longestWait;

    private volatile ListeningConnection current;
    private volatile boolean closed;

    /** By the one that listens. */
    private int inVain;

    /**
     * Makes one without touching anything.
     *
     * @param settings where the breakers are, and which are this application's
     * @param background has the thread that tries the connection out
     */
    public NotifyFeed(JpaStoreSettings settings, Background background, MonotonicClock clock) {
        this(settings, background, clock, LONGEST_WAIT);
    }

    /** @param longestWait for the other connection, in milliseconds */
    NotifyFeed(JpaStoreSettings settings, Background background, MonotonicClock clock, long longestWait) {
        dataSource = new LazyDataSource(settings.dataSource());
        prefix = settings.prefix();
        errors = new StoreErrors(settings.dataSourceName());
        this.background = background;
        this.clock = clock;
        this.longestWait = longestWait;
    }

    @Override
    public void listen(Ears ears) {
        if (closed) {
            return;
        }
        try (ListeningConnection connection = open()) {
            current = connection;
            tryOut(connection);
            connection.listenTo(CHANNEL);
            if (!closed) {
                hear(connection, ears);
            }
        } catch (SQLException failure) {
            if (!closed) {
                throw errors.of(failure);
            }
        } finally {
            current = null;
        }
    }

    private ListeningConnection open() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            DriverNotices notices = DriverNotices.of(connection)
                    .orElseThrow(() -> errors.cannotListen(
                            "its connections are not seen to be those of PostgreSQL's own JDBC driver",
                            "Have the data source use org.postgresql's driver, and let the application see it"));
            return new ListeningConnection(connection, notices);
        } catch (SQLException | RuntimeException | Error failure) {
            connection.close();
            throw failure;
        }
    }

    private void tryOut(ListeningConnection connection) throws SQLException {
        String token = UUID.randomUUID().toString().replace("-", "");
        String channel = CHANNEL + "_" + token;
        connection.listenTo(channel);
        notifyFromElsewhere(channel, token);
        long asked = clock.nanos();
        while (connection.await(SLICE).stream().map(Notice::payload).noneMatch(token::equals)) {
            if (closed) {
                return;
            }
            if (clock.nanos() - asked > TimeUnit.MILLISECONDS.toNanos(LONGEST_ECHO)) {
                throw errors.cannotListen(
                        "a notification to itself did not arrive",
                        "Behind PgBouncer in transaction or statement mode that is as it must be. Give"
                                + " distributed-fallback.datasource a data source that reaches the database directly, or in"
                                + " session mode");
            }
        }
        connection.forget(channel);
    }

    /** On a thread of its own: on this one a server may hand out the very connection that listens. */
    private void notifyFromElsewhere(String channel, String token) throws SQLException {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        Background.Task task;
        try {
            task = background.run(() -> send(channel, token, sent));
        } catch (RejectedExecutionException e) {
            throw StoreException.noThread(e);
        }
        try {
            sent.get(longestWait, TimeUnit.MILLISECONDS);
            inVain = 0;
        } catch (TimeoutException e) {
            task.cancel();
            inVain++;
            if (inVain >= TRIES) {
                throw errors.cannotListen(
                        "no second connection, or no second thread, within " + longestWait + " ms",
                        "Listening keeps one connection of the pool and one managed thread. Give the pool and the executor"
                                + " two or more than the application itself needs");
            }
            throw errors.of(new SQLException("no second connection or thread to try it out with", "08001", e));
        } catch (ExecutionException e) {
            throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while it was tried out", "08001", e);
        }
    }

    private void send(String channel, String token, CompletableFuture<Void> sent) {
        try (Connection other = dataSource.getConnection();
                PreparedStatement notification = other.prepareStatement("SELECT pg_notify(?, ?)")) {
            notification.setString(1, channel);
            notification.setString(2, token);
            notification.execute();
            if (!other.getAutoCommit()) {
                other.commit();
            }
            sent.complete(null);
        } catch (SQLException | RuntimeException | LinkageError failure) {
            sent.completeExceptionally(failure);
        }
    }

    private void hear(ListeningConnection connection, Ears ears) throws SQLException {
        long heard = clock.nanos();
        ears.listening();
        while (!closed) {
            boolean any = false;
            boolean ours = false;
            for (Notice notice : connection.await(SLICE)) {
                any = true;
                ours |= notice.channel().equals(CHANNEL) && notice.payload().startsWith(prefix);
            }
            if (ours) {
                ears.changed();
            }
            if (any) {
                heard = clock.nanos();
            } else if (!closed && clock.nanos() - heard > TimeUnit.MILLISECONDS.toNanos(QUIET)) {
                connection.check();
                heard = clock.nanos();
            }
        }
        // It has been obeyed. What is left to do is to talk to the database, which takes no time.
        Thread.interrupted();
    }

    @Override
    public void close() {
        closed = true;
        ListeningConnection connection = current;
        if (connection != null) {
            connection.stopWaiting();
        }
    }
}
