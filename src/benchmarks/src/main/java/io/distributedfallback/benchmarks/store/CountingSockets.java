package io.distributedfallback.benchmarks.store;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;

/** Counts what a database sends, by the argument that the driver is given with the name of this class. */
public final class CountingSockets extends SocketFactory {

    private static final ConcurrentHashMap<String, LongAdder> RECEIVED = new ConcurrentHashMap<>();

    private final LongAdder received;

    /** Made by the driver. */
    public CountingSockets(String counter) {
        received = RECEIVED.computeIfAbsent(counter, unknown -> new LongAdder());
    }

    /** What is to be appended to an address so that this counts. */
    static String parameters(String counter) {
        return "&socketFactory=" + CountingSockets.class.getName() + "&socketFactoryArg=" + counter;
    }

    /** The bytes that came so far. */
    static long received(String counter) {
        return RECEIVED.get(counter).sum();
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
                return counted(super.getInputStream());
            }
        };
    }

    private InputStream counted(InputStream from) {
        return new FilterInputStream(from) {
            @Override
            public int read() throws IOException {
                int octet = super.read();
                received.add(octet < 0 ? 0 : 1);
                return octet;
            }

            @Override
            public int read(byte[] into, int start, int length) throws IOException {
                int count = super.read(into, start, length);
                received.add(Math.max(count, 0));
                return count;
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException("the driver connects by itself");
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
        return createSocket(host, port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return createSocket(host.getHostName(), port);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
        return createSocket(host, port);
    }
}
