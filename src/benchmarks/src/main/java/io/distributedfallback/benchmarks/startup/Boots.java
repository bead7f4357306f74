package io.distributedfallback.benchmarks.startup;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Starts applications one after the other in one JVM, and prints how many milliseconds each took. */
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
        long began = System.nanoTime();
        WeldContainer started = weld.initialize();
        double millis = (System.nanoTime() - began) / (double) TimeUnit.MILLISECONDS.toNanos(1);
        started.close();
        return millis;
    }
}
