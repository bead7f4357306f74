package io.distributedfallback.it.faults.app;

import io.distributedfallback.cdi.DistributedFallbackExtension;
import io.distributedfallback.cdi.DistributedFallbackInterceptor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** An instance of the application, in a process of its own. */
public final class Node {

    /** What it says when it can be visited. */
    public static final String READY = "the instance is ready";

    /** What it says before its two clocks: the wall's in milliseconds, and the monotonic one in nanoseconds. */
    public static final String CLOCKS = "clocks ";

    private Node() {}

    /** Does what it is told, line by line: {@code come}, {@code leave}, {@code clocks}. Ends when nobody tells it anything any more. */
    public static void main(String[] arguments) throws Exception {
        Weld weld = new Weld()
                .disableDiscovery()
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(
                        DistributedFallbackInterceptor.class, Shop.class, Remote.class, Journal.class, Watch.class);
        if (tellsOfStore()) {
            weld.addBeanClass(ConnectionWatch.class);
        }
        try (WeldContainer container = weld.initialize()) {
            Visitors visitors = new Visitors(
                    container.select(Shop.class).get(),
                    container.select(Journal.class).get());
            container.select(Watch.class).get().begin();
            System.out.println(READY);
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                switch (order) {
                    case "come" -> visitors.come();
                    case "leave" -> visitors.leave();
                    default -> System.out.println(CLOCKS + System.currentTimeMillis() + ' ' + System.nanoTime());
                }
            }
        }
        // Whoever has visitors that wait for ever must end all the same.
        System.exit(0);
    }

    /** Whether the product is a version that has the event. */
    private static boolean tellsOfStore() {
        return Node.class.getClassLoader().getResource("io/distributedfallback/StoreConnection.class") != null;
    }
}
