package io.distributedfallback.it.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port of the loopback address that nobody listens on. It is used some time after it was chosen, so it is none that
 * the system hands to outgoing connections meanwhile (32768 and above on Linux).
 */
public final class FreePort {

    private static final int LOWEST = 20_000;
    private static final int ABOVE_HIGHEST = 32_000;
    private static final int TRIES = 1_000;

    /** None is given to two who ask at the same time. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePort() {}

    public static int any() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE_HIGHEST);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + LOWEST + " and " + ABOVE_HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
