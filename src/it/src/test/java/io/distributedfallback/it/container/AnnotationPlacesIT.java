package io.distributedfallback.it.container;

import io.distributedfallback.Breakers;
import io.distributedfallback.it.container.place.ClientBackedEcho;
import io.distributedfallback.it.container.place.Echo;
import io.distributedfallback.it.container.place.EchoClient;
import io.distributedfallback.it.container.place.InheritingEchoClient;
import io.distributedfallback.it.container.place.StatelessEcho;
import io.distributedfallback.it.container.place.WholeEchoClient;
import io.distributedfallback.it.harness.ContainerParts;
import jakarta.inject.Inject;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The annotation on REST clients and on enterprise beans. */
@ExtendWith(ArquillianExtension.class)
class AnnotationPlacesIT {

    private static final String PLACES = "io.distributedfallback.it.container.place.";
    private static final String NOBODY = "http://127.0.0.1:1";

    @Inject
    Breakers breakers;

    @Inject
    @RestClient
    EchoClient client;

    @Inject
    @RestClient
    WholeEchoClient wholeClient;

    @Inject
    @RestClient
    InheritingEchoClient inheritingClient;

    @Inject
    ClientBackedEcho clientBacked;

    @Inject
    StatelessEcho stateless;

    @Inject
    Echo singleton;

    @Deployment
    static WebArchive application() {
        return Wars.configured(
                Wars.of("places").addPackage(Echo.class.getPackage()),
                "distributed-fallback.store=memory",
                "echo/mp-rest/url=" + NOBODY);
    }

    @Test
    void the_default_method_of_a_rest_client_answers_for_another_and_retries_count_as_one_call() {
        for (int i = 1; i <= 3; i++) {
            assertEquals("hi because of ProcessingException", client.say("hi"));
            assertEquals(i, failures("echo"));
        }
        assertEquals("hi because of BreakerOpenException", client.say("hi"));
    }

    @Test
    void a_method_of_a_rest_client_needs_no_other_annotation_beside() {
        assertEquals("hi because of ProcessingException", client.sayOnce("hi"));
        assertEquals(1, failures("plain echo"));
    }

    @Test
    void a_method_of_a_rest_client_without_the_annotation_is_not_guarded() {
        assertThrows(ProcessingException.class, () -> client.unguarded("hi"));
    }

    @Test
    void the_annotation_on_the_interface_of_a_rest_client_guards_its_methods() {
        assertEquals("local hi", wholeClient.say("hi"));
        assertEquals(1, failures("whole echo"));
    }

    @Test
    void the_annotation_on_a_method_of_a_rest_client_replaces_the_one_on_its_interface() {
        assertThrows(ProcessingException.class, () -> wholeClient.own("hi"));
        assertEquals(1, failures("own echo"));
    }

    @Test
    void a_method_that_a_rest_client_inherits_is_not_intercepted_by_the_server() {
        assertThrows(ProcessingException.class, () -> inheritingClient.say("hi"));
        assertEquals(0, failures("inheriting echo"));
    }

    @Test
    @RunAsClient
    void a_warning_tells_which_methods_of_rest_clients_the_server_does_not_intercept() throws IOException {
        assertTrue(warned("DFB116: the annotation has no effect here: " + PLACES + "InheritingEchoClient.say "));
        assertTrue(warned("DFB116: the annotation has no effect here: " + PLACES + "EchoClient.byDefault "));
    }

    @Test
    void a_rest_client_may_be_the_backup_of_a_bean() {
        assertEquals("local hi", clientBacked.say("hi"));
    }

    @Test
    void a_stateless_enterprise_bean_is_guarded() {
        assertEquals("hi because of IllegalStateException outside", stateless.sayWithoutTransaction("hi"));
        assertEquals(1, failures("stateless"));
    }

    @Test
    void an_enterprise_bean_has_its_transaction_around_its_fallback() {
        assertEquals("hi because of IllegalStateException inside", stateless.say("hi"));
    }

    @Test
    @RunAsClient
    void a_warning_tells_of_the_transaction_around_the_fallback_of_an_enterprise_bean() throws IOException {
        String warning = "DFB117: the fallback runs inside the transaction of the enterprise bean: ";
        assertTrue(warned(warning + PLACES + "StatelessEcho.say "));
        assertFalse(warned(warning + PLACES + "StatelessEcho.sayWithoutTransaction "));
    }

    @Test
    void a_singleton_enterprise_bean_has_another_for_its_backup() {
        assertEquals("spare hi", singleton.say("hi"));
        assertEquals(1, failures("singleton"));
    }

    private static boolean warned(String text) throws IOException {
        return ContainerParts.log().contains(text);
    }

    private int failures(String breaker) {
        return breakers.get(breaker).status().standing().consecutiveFailures();
    }
}
