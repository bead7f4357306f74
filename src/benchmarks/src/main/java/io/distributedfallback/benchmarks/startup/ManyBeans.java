package io.distributedfallback.benchmarks.startup;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The classes of an application with 500 guarded methods: 100 beans, each with a breaker, a probe and a fallback.
 *
 * @param folder where they are
 */
record ManyBeans(Path folder) {

    private static final int BEANS = 100;
    private static final int METHODS = 5;

    /** Writes and compiles them. */
    static ManyBeans compile(Path folder, Variant variant) throws IOException {
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                "-proc:none", "-nowarn", "-d", folder.toString(), "-cp", System.getProperty("java.class.path")));
        for (int bean = 0; bean < BEANS; bean++) {
            Path source = folder.resolve("Bean" + bean + ".java");
            Files.writeString(source, source(bean, variant));
            command.add(source.toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler.run(null, null, null, command.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the beans in " + folder + " do not compile");
        }
        return new ManyBeans(folder);
    }

    private static String source(int bean, Variant variant) {
        String breaker = "provider-" + bean;
        String methods = IntStream.range(0, METHODS)
                .mapToObj(method -> variant.annotation(breaker) + " public String ask" + method
                        + "(String query) { return query; }\n")
                .collect(Collectors.joining());
        return "@jakarta.enterprise.context.ApplicationScoped public class Bean" + bean + " {\n" + methods
                + "public String instead(String query) { return query; }\n"
                + variant.probe(breaker) + " public boolean probe() { return true; }\n}\n";
    }

    /** Loads them anew, as each deployment does. */
    Class<?>[] load() throws ClassNotFoundException, MalformedURLException {
        ClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
        Class<?>[] beans = new Class<?>[BEANS];
        for (int bean = 0; bean < BEANS; bean++) {
            beans[bean] = loader.loadClass("Bean" + bean);
        }
        return beans;
    }
}
