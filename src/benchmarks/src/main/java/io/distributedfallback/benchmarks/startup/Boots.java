package io.distributedfallback.benchmarks.startup;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/**
 * Starts applications one after the other in one JVM, and prints how many milliseconds of a processor each took: of the
 * thread that deploys, which is what a start waits for. What other processes do on the machine is not in it.
 */
final class Boots {

    private Boots() {}

    /** Takes the folder of the applications, and the {@link Variant} of each. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        // A server has read its configuration before it deploys.
        Object unused = ConfigProvider.getConfig();
        for (String name : List.of(arguments).subList(1, arguments.length)) {
            Variant variant = Variant.valueOf(name);
            System.out.println(millis(variant, new ManyBeans(folder.resolve(name)).load()));
        }
    }

    private static double millis(Variant variant, Class<?>... beans) {
        Weld weld = variant.addTo(new Weld().disableDiscovery()).addBeanClasses(beans);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long began = threads.getCurrentThreadCpuTime();
        WeldContainer started = weld.initialize();
        double millis = (threads.getCurrentThreadCpuTime() - began) / (double) TimeUnit.MILLISECONDS.toNanos(1);
        started.close();
        return millis;
    }
}
