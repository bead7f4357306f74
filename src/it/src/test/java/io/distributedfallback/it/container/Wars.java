package io.distributedfallback.it.container;

import io.distributedfallback.it.harness.Places;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Applications of a few classes that have dropped the jar in. */
final class Wars {

    private Wars() {}

    static WebArchive of(String name, Class<?>... classes) {
        return ShrinkWrap.create(WebArchive.class, name + ".war")
                .addClasses(classes)
                .addAsLibraries(Places.extensionJar())
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    static WebArchive configured(WebArchive war, String... lines) {
        return war.addAsResource(
                new StringAsset(String.join("\n", lines) + "\n"), "META-INF/microprofile-config.properties");
    }
}
