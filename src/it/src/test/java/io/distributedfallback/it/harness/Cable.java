package io.distributedfallback.it.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What lies between a browser and a server, and can be cut. */
public final class Cable implements AutoCloseable {

    private static final int BACKLOG = 50;

    private final int target;
    private final int port = FreePort.any();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private ServerSocket entrance;
    private Thread doorkeeper;

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

    /** Lets everything through again. */
    public synchronized void mend() {
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
        try {
            doorkeeper.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sockets.forEach(Cable::close);
        sockets.clear();
    }

    @Override
    public void close() {
        cut();
    }

    private void accept(ServerSocket open) {
        try {
            while (true) {
                Socket near = open.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(near);
                sockets.add(far);
                if (open.isClosed()) {
                    close(near);
                    close(far);
                }
                start(() -> pass(near, far));
                start(() -> pass(far, near));
            }
        } catch (IOException cut) {
            close(open);
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException ended) {
            // One of the two ends is gone, and with it the other.
        } finally {
            sockets.remove(from);
            sockets.remove(to);
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
