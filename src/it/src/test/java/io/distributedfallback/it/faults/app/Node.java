package io.distributedfallback.it.faults.app;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
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

    /** The order to have an operator force the catalogue closed. */
    public static final String FORCE = "force";

    /** The order to have an operator clear that. */
    public static final String CLEAR = "clear";

    /** What it says before its two clocks: the wall's in milliseconds, and the monotonic one in nanoseconds. */
    public static final String CLOCKS = "clocks ";

    private static final String OPERATOR = "ann";

    private Node() {}

    /** Does what it is told, line by line: {@code come}, {@code leave}, {@value #FORCE}, {@value #CLEAR}, {@code clocks}. Ends when
     * nobody tells it anything any more. */
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
                    case FORCE -> command(() -> catalogue(container).forceClosed(OPERATOR, FORCE));
                    case CLEAR -> command(() -> catalogue(container).clearOverride(OPERATOR, CLEAR));
                    default -> System.out.println(CLOCKS + System.currentTimeMillis() + ' ' + System.nanoTime());
                }
            }
        }
        // Whoever has visitors that wait for ever must end all the same.
        System.exit(0);
    }

    /** One that is refused is no end of the instance. */
    private static void command(Runnable command) {
        try {
            command.run();
        } catch (RuntimeException refused) {
            System.out.println("refused: " + refused);
        }
    }

    private static Breaker catalogue(WeldContainer container) {
        return container.select(Breakers.class).get().get(Shop.CATALOGUE);
    }

    /** Whether the product is a version that has the event. */
    private static boolean tellsOfStore() {
        return Node.class.getClassLoader().getResource("io/distributedfallback/StoreConnection.class") != null;
    }
}
