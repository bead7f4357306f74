package io.distributedfallback.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between a client and PostgreSQL on this machine, and cuts the connection once, where it is told to. */
final class Relay implements AutoCloseable {

    /** Where. */
    enum Cut {
        /** The statement that reads all rows is not passed on. */
        BEFORE_READ("starts_with(r.name"),
        /** The statement that writes is not passed on. */
        BEFORE_STATEMENT("INSERT INTO distributed_breaker "),
        /** The statement that writes is passed on, and its answer is not. */
        AFTER_STATEMENT("INSERT INTO distributed_breaker "),
        /** The commit is not passed on. */
        BEFORE_COMMIT("COMMIT"),
        /** The commit is passed on, and its answer is not. */
        AFTER_COMMIT("COMMIT");

        private final String sign;

        Cut(String sign) {
            this.sign = sign;
        }
    }

    private final int server;
    private final ServerSocket listening;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private volatile Cut next;
    private volatile boolean isLast;

    Relay(int server) throws IOException {
        this.server = server;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Cuts the connection that comes there next. */
    void cut(Cut where) {
        next = where;
    }

    /** Cuts the connection that comes there next, and lets nobody through any more. */
    void cutForGood(Cut where) {
        isLast = true;
        next = where;
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                Socket database = new Socket(InetAddress.getLoopbackAddress(), server);
                open.add(client);
                open.add(database);
                threads.execute(() -> pass(client, database, true));
                threads.execute(() -> pass(database, client, false));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void pass(Socket from, Socket to, boolean toDatabase) {
        byte[] buffer = new byte[65_536];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
                Cut cut = next;
                if (toDatabase && cut != null && text.contains(cut.sign)) {
                    next = null;
                    if (isLast) {
                        listening.close();
                    }
                    if (cut == Cut.AFTER_COMMIT || cut == Cut.AFTER_STATEMENT) {
                        // The client's end first: the answer must not get there.
                        from.close();
                        out.write(buffer, 0, length);
                        to.shutdownOutput();
                    }
                    return;
                }
                out.write(buffer, 0, length);
            }
        } catch (IOException cut) {
            // By this relay, or by either end.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Closeable socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
