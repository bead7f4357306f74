package io.distributedfallback.it.ladder.app;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import io.distributedfallback.cdi.DistributedFallbackExtension;
import io.distributedfallback.cdi.DistributedFallbackInterceptor;
import io.distributedfallback.it.harness.Eventually;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** An instance of the application, in a process of its own: visitors come when it is told so, and leave at the end. */
public final class Instance {

    /** What it says when it can be visited. */
    public static final String READY = "the instance is ready";

    private Instance() {}

    /** Waits for a line, has visitors come, and at the next line writes down what they met with. */
    public static void main(String[] arguments) throws Exception {
        int number = Integer.parseInt(arguments[0]);
        int rate = Integer.parseInt(arguments[1]);
        Path calls = Path.of(arguments[2]);
        try (WeldContainer container = new Weld()
                .disableDiscovery()
                .addExtension(new DistributedFallbackExtension())
                .addBeanClasses(
                        DistributedFallbackInterceptor.class,
                        MissIsNoFailure.class,
                        Products.class,
                        Cache.class,
                        Database.class,
                        Witness.class)
                .initialize()) {
            Products products = container.select(Products.class).get();
            Visitors visitors = new Visitors(products, number, rate);
            BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            awaitStore(container.select(Breakers.class).get().get(Products.BREAKER));
            System.out.println(READY);
            if (orders.readLine() == null) {
                return;
            }
            visitors.come();
            orders.readLine();
            write(visitors.leave(), calls);
        }
    }

    /** The way to the database is opened in the background. Visitors come when it is known how things stand. */
    private static void awaitStore(Breaker breaker) {
        Eventually.eventually(Duration.ofSeconds(60), () -> {
            String unused = breaker.call(() -> "", () -> "");
            if (breaker.status().copyAge().isEmpty()) {
                throw new AssertionError("the store has not been read");
            }
        });
    }

    private static void write(List<Call> calls, Path file) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
            out.writeInt(calls.size());
            for (Call call : calls) {
                call.write(out);
            }
        }
    }
}
