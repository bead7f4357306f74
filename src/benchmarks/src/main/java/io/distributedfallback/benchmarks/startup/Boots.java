package io.distributedfallback.benchmarks.startup;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** Starts an application several times in one JVM, and prints how many milliseconds each took. */
final class Boots {

    private Boots() {}

    /** Takes the {@link Variant}, the folder of the classes, and how often. */
    public static void main(String[] arguments) throws Exception {
        Variant variant = Variant.valueOf(arguments[0]);
        ManyBeans beans = new ManyBeans(Path.of(arguments[1]));
        // A server has read its configuration before it deploys.
        Object unused = ConfigProvider.getConfig();
        for (int boot = Integer.parseInt(arguments[2]); boot > 0; boot--) {
            System.out.println(millis(variant, beans.load()));
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
