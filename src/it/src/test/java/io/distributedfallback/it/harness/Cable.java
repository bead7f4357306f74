package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * What lies between a client and a server, and can be cut, lose what goes through it without closing anything, be slow, and
 * break in the middle of an answer.
 */
public final class Cable implements AutoCloseable {

    private static final int BACKLOG = 50;
    private static final int BUFFER = 8192;

    private final int target;
    private final int port = FreePort.any();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Direction> blocked = EnumSet.noneOf(Direction.class);
    private ServerSocket entrance;
    private Thread doorkeeper;
    private volatile Optional<LongSupplier> delay = Optional.empty();
    private volatile int whole;
    private int answers;

    /** Which way something goes. */
    public enum Direction {
        QUESTIONS,
        ANSWERS
    }

    /**
     * Lays it.
     *
     * @param target the port at its far end
     */
    public Cable(int target) {
        this.target = target;
        mend();
    }

    /** The port at its near end. */
    public int port() {
        return port;
    }

    /** Lets everything through again, at once; what was held up too. */
    public synchronized void mend() {
        blocked.clear();
        delay = Optional.empty();
        whole = 0;
        notifyAll();
        if (entrance != null) {
            return;
        }
        try {
            entrance = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ServerSocket open = entrance;
        doorkeeper = start(() -> accept(open));
    }

    /** Ends all connections and refuses new ones. The port is free only when nobody waits at it any more. */
    public synchronized void cut() {
        if (entrance == null) {
            return;
        }
        close(entrance);
        entrance = null;
        blocked.clear();
        notifyAll();
        Thread waiting = doorkeeper;
        while (waiting.isAlive()) {
            try {
                // It may need the monitor to come to its end.
                wait(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        sockets.forEach(Cable::close);
        sockets.clear();
    }

    /**
     * Lets nothing through any more in these directions, and closes nothing. New connections are accepted by the system at
     * the near end, and nobody ever answers there.
     */
    public synchronized void block(Direction... directions) {
        blocked.addAll(Set.of(directions));
    }

    /** Has each piece wait before it goes on. */
    public void slow(LongSupplier millis) {
        delay = Optional.of(millis);
    }

    /** Lets only so many answers through whole; of the next one half gets through, and then its connection ends. */
    public void tear(int afterWhole) {
        whole = afterWhole;
    }

    @Override
    public void close() {
        cut();
    }

    private void accept(ServerSocket open) {
        try {
            while (true) {
                Socket near = open.accept();
                if (!await(Direction.QUESTIONS, open)) {
                    close(near);
                    return;
                }
                connect(near, open);
            }
        } catch (IOException cut) {
            close(open);
        }
    }

    private void connect(Socket near, ServerSocket open) {
        Socket far;
        try {
            far = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException refused) {
            // Whoever is at the far end may be there when the next one comes.
            close(near);
            return;
        }
        sockets.add(near);
        sockets.add(far);
        if (open.isClosed()) {
            close(near);
            close(far);
        }
        start(() -> pass(near, far, Direction.QUESTIONS, open));
        start(() -> pass(far, near, Direction.ANSWERS, open));
    }

    private void pass(Socket from, Socket to, Direction direction, ServerSocket open) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                delay.ifPresent(millis -> LockSupport.parkNanos(millis.getAsLong() * 1_000_000));
                boolean isTorn = direction == Direction.ANSWERS && isTorn();
                if (!await(direction, open)) {
                    return;
                }
                out.write(buffer, 0, isTorn ? read / 2 : read);
                out.flush();
                if (isTorn) {
                    return;
                }
            }
        } catch (IOException ended) {
            // One of the two ends is gone, and with it the other.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
        }
    }

    private synchronized boolean isTorn() {
        answers++;
        return whole > 0 && answers % (whole + 1) == 0;
    }

    /** Until something may go through; false if the cable is cut before. */
    private synchronized boolean await(Direction direction, ServerSocket open) {
        try {
            while (blocked.contains(direction) && !open.isClosed()) {
                wait();
            }
            return !open.isClosed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void close(AutoCloseable open) {
        try {
            open.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Thread start(Runnable task) {
        Thread thread = new Thread(task, "cable");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
