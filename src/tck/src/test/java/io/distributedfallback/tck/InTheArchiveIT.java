package io.distributedfallback.tck;

import io.distributedfallback.Breakers;
import jakarta.inject.Inject;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.testng.Arquillian;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.testng.annotations.Test;

import static org.testng.Assert.assertEquals;

/** An archive like the TCK's: nothing in it but its own class, and what every archive gets. */
public class InTheArchiveIT extends Arquillian {

    @Inject
    private Breakers breakers;

    @Deployment
    public static WebArchive archive() {
        return ShrinkWrap.create(WebArchive.class, "in-the-archive.war")
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
    }

    @Test
    public void the_extension_is_at_work_without_a_database() throws Exception {
        assertEquals(breakers.get("tck").call(() -> "primary", () -> "fallback"), "primary");
    }
}
