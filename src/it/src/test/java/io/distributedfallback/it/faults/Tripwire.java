package io.distributedfallback.it.faults;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Lies between an instance and PostgreSQL, reads what passes, and kills the instance at the steps at which it is told to.
 *
 * <p>It passes on whole requests: all messages up to the one that asks for an answer. The texts of statements must be in
 * them, so the driver may prepare none on the server ({@value #OPTIONS}).
 */
final class Tripwire implements AutoCloseable {

    /** For the URL of a database behind it. */
    static final String OPTIONS = "&prepareThreshold=0&sslmode=disable";

    private static final int BACKLOG = 50;
    private static final String COMMIT = "\0COMMIT\0";

    /** Sync, simple query, password, flush, termination. */
    private static final String ENDS_OF_REQUESTS = "SQpHX";

    private static final int READY_FOR_QUERY = 'Z';

    private final int place;
    private final int target;
    private final ServerSocket entrance;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final List<Armed> traps = new CopyOnWriteArrayList<>();

    Tripwire(int place, int target) {
        this.place = place;
        this.target = target;
        try {
            entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** A trap, and what it does to the instance. */
    private record Armed(Trap trap, Runnable kill) {}

    int port() {
        return entrance.getLocalPort();
    }

    /** Lays a trap. The same one may be laid for several instances: it catches one. */
    void arm(Trap trap, Runnable kill) {
        traps.add(new Armed(trap, kill));
    }

    void disarm() {
        traps.clear();
    }

    private void accept() {
        try {
            while (true) {
                connect(entrance.accept());
            }
        } catch (IOException closed) {
            // It is over.
        }
    }

    private void connect(Socket near) {
        open.add(near);
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(far);
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            Wire wire = new Wire(near, far);
            start(wire::toDatabase);
            start(wire::toInstance);
        } catch (IOException nobodyThere) {
            end(near);
        }
    }

    @Override
    public void close() {
        end(entrance);
        open.forEach(Tripwire::end);
    }

    private static void end(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "tripwire");
        thread.setDaemon(true);
        thread.start();
    }

    /** One connection. */
    private final class Wire {

        private final Socket near;
        private final Socket far;
        private final List<Armed> atCommit = new ArrayList<>();

        /** Whose instance dies when the answer is there. */
        private volatile Armed doomed;

        Wire(Socket near, Socket far) {
            this.near = near;
            this.far = far;
        }

        void toDatabase() {
            try (near;
                    far) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(near.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(far.getOutputStream()));
                passGreeting(in, out);
                ByteArrayOutputStream request = new ByteArrayOutputStream();
                DataOutputStream message = new DataOutputStream(request);
                for (int type = in.read(); type >= 0; type = in.read()) {
                    copy(type, in, message);
                    if (ENDS_OF_REQUESTS.indexOf(type) >= 0) {
                        if (dies(request.toString(StandardCharsets.ISO_8859_1))) {
                            return;
                        }
                        request.writeTo(out);
                        out.flush();
                        request.reset();
                    }
                }
            } catch (IOException ended) {
                // By either end, or because the instance is dead.
            } finally {
                forget();
            }
        }

        private void passGreeting(DataInputStream in, DataOutputStream out) throws IOException {
            int length = in.readInt();
            out.writeInt(length);
            out.write(in.readNBytes(length - Integer.BYTES));
            out.flush();
        }

        private static void copy(int type, DataInputStream in, DataOutputStream out) throws IOException {
            int length = in.readInt();
            out.write(type);
            out.writeInt(length);
            out.write(in.readNBytes(length - Integer.BYTES));
        }

        private boolean dies(String request) {
            List<Armed> met = new ArrayList<>();
            if (request.contains(COMMIT)) {
                met.addAll(atCommit);
                atCommit.clear();
            }
            for (Armed armed : traps) {
                if (!armed.trap().isSprung() && armed.trap().knows(request)) {
                    (armed.trap().step().isCommit() ? atCommit : met).add(armed);
                }
            }
            for (Armed armed : met) {
                if (armed.trap().step().isAfter()) {
                    doomed = armed;
                } else if (kill(armed)) {
                    return true;
                }
            }
            return false;
        }

        private boolean kill(Armed armed) {
            if (!armed.trap().spring()) {
                return false;
            }
            armed.kill().run();
            armed.trap().caught(place);
            return true;
        }

        void toInstance() {
            try (near;
                    far) {
                DataInputStream in = new DataInputStream(new BufferedInputStream(far.getInputStream()));
                DataOutputStream out = new DataOutputStream(new BufferedOutputStream(near.getOutputStream()));
                ByteArrayOutputStream held = new ByteArrayOutputStream();
                DataOutputStream holding = new DataOutputStream(held);
                for (int type = in.read(); type >= 0; type = in.read()) {
                    copy(type, in, holding);
                    Armed deadly = doomed;
                    if (deadly != null && type != READY_FOR_QUERY) {
                        continue;
                    }
                    if (deadly != null && kill(deadly)) {
                        return;
                    }
                    doomed = null;
                    held.writeTo(out);
                    held.reset();
                    if (in.available() == 0) {
                        out.flush();
                    }
                }
            } catch (IOException ended) {
                // By either end, or because the instance is dead.
            } finally {
                forget();
            }
        }

        private void forget() {
            open.remove(near);
            open.remove(far);
        }
    }
}
