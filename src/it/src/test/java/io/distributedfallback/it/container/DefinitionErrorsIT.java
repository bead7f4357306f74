package io.distributedfallback.it.container;

import io.distributedfallback.it.container.defect.AbstractHandler;
import io.distributedfallback.it.container.defect.BackupAmbiguous;
import io.distributedfallback.it.container.defect.BackupItself;
import io.distributedfallback.it.container.defect.BackupNoBean;
import io.distributedfallback.it.container.defect.BackupOther;
import io.distributedfallback.it.container.defect.BlankName;
import io.distributedfallback.it.container.defect.BothMembers;
import io.distributedfallback.it.container.defect.BrokenClient;
import io.distributedfallback.it.container.defect.BrokenEnterpriseBean;
import io.distributedfallback.it.container.defect.FallbackBesides;
import io.distributedfallback.it.container.defect.FinalClass;
import io.distributedfallback.it.container.defect.FinalMethod;
import io.distributedfallback.it.container.defect.FinalMethodOfClass;
import io.distributedfallback.it.container.defect.FirstShelf;
import io.distributedfallback.it.container.defect.LonelyProbe;
import io.distributedfallback.it.container.defect.MissingMethod;
import io.distributedfallback.it.container.defect.NoHandlerToHave;
import io.distributedfallback.it.container.defect.OtherHandler;
import io.distributedfallback.it.container.defect.OtherParameters;
import io.distributedfallback.it.container.defect.OtherReturnType;
import io.distributedfallback.it.container.defect.PrivateMethod;
import io.distributedfallback.it.container.defect.ProbeWithParameter;
import io.distributedfallback.it.container.defect.SecondShelf;
import io.distributedfallback.it.container.defect.Shelf;
import io.distributedfallback.it.container.defect.Sound;
import io.distributedfallback.it.container.defect.StaticMethod;
import io.distributedfallback.it.container.defect.TextHandler;
import io.distributedfallback.it.container.defect.TwoPolicies;
import io.distributedfallback.it.container.defect.TwoProbes;
import org.jboss.arquillian.container.test.api.Deployer;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.container.test.api.RunAsClient;
import org.jboss.arquillian.junit5.ArquillianExtension;
import org.jboss.arquillian.test.api.ArquillianResource;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A mistake in the code or in the configuration fails the deployment, with a message that says what to do. */
@ExtendWith(ArquillianExtension.class)
@RunAsClient
class DefinitionErrorsIT {

    @ArquillianResource
    Deployer deployer;

    @Deployment(name = "both", managed = false, testable = false)
    static WebArchive two_ways_to_fall_back_on_one_method() {
        return Wars.of("both", BothMembers.class, TextHandler.class);
    }

    @Test
    void two_ways_to_fall_back_on_one_method_fails_the_deployment() {
        assertThat(failureOf("both"))
                .contains("DFB101: more than one of fallbackMethod, value and backup is given", "BothMembers.search");
    }

    @Deployment(name = "parameters", managed = false, testable = false)
    static WebArchive a_fallback_method_with_other_parameters() {
        return Wars.of("parameters", OtherParameters.class);
    }

    @Test
    void a_fallback_method_with_other_parameters_fails_the_deployment() {
        assertThat(failureOf("parameters"))
                .contains(
                        "DFB102: the fallback method does not fit",
                        "OtherParameters.search",
                        "[fallbackMethod = other]");
    }

    @Deployment(name = "returns", managed = false, testable = false)
    static WebArchive a_fallback_method_with_another_return_type() {
        return Wars.of("returns", OtherReturnType.class);
    }

    @Test
    void a_fallback_method_with_another_return_type_fails_the_deployment() {
        assertThat(failureOf("returns"))
                .contains(
                        "DFB102: the fallback method does not fit",
                        "OtherReturnType.search",
                        "[fallbackMethod = other]");
    }

    @Deployment(name = "missing", managed = false, testable = false)
    static WebArchive a_fallback_method_that_does_not_exist() {
        return Wars.of("missing", MissingMethod.class);
    }

    @Test
    void a_fallback_method_that_does_not_exist_fails_the_deployment() {
        assertThat(failureOf("missing"))
                .contains(
                        "DFB102: the fallback method does not fit",
                        "MissingMethod.search",
                        "[fallbackMethod = nowhere]");
    }

    @Deployment(name = "handler", managed = false, testable = false)
    static WebArchive a_handler_for_another_type() {
        return Wars.of("handler", OtherHandler.class, TextHandler.class);
    }

    @Test
    void a_handler_for_another_type_fails_the_deployment() {
        assertThat(failureOf("handler"))
                .contains("DFB103: the fallback handler does not fit", "OtherHandler.count", "TextHandler");
    }

    @Deployment(name = "private", managed = false, testable = false)
    static WebArchive a_private_guarded_method() {
        return Wars.of("private", PrivateMethod.class);
    }

    @Test
    void a_private_guarded_method_fails_the_deployment() {
        assertThat(failureOf("private"))
                .contains("DFB104: the guarded method cannot be intercepted", "PrivateMethod.guarded");
    }

    @Deployment(name = "static", managed = false, testable = false)
    static WebArchive a_static_guarded_method() {
        return Wars.of("static", StaticMethod.class);
    }

    @Test
    void a_static_guarded_method_fails_the_deployment() {
        assertThat(failureOf("static"))
                .contains("DFB104: the guarded method cannot be intercepted", "StaticMethod.search");
    }

    @Deployment(name = "final", managed = false, testable = false)
    static WebArchive a_final_guarded_method() {
        return Wars.of("final", FinalMethod.class);
    }

    @Test
    void a_final_guarded_method_fails_the_deployment() {
        assertThat(failureOf("final"))
                .contains("DFB104: the guarded method cannot be intercepted", "FinalMethod.search");
    }

    @Deployment(name = "besides", managed = false, testable = false)
    static WebArchive the_fallback_annotation_of_microprofile_on_the_same_method() {
        return Wars.of("besides", FallbackBesides.class);
    }

    @Test
    void the_fallback_annotation_of_microprofile_on_the_same_method_fails_the_deployment() {
        assertThat(failureOf("besides"))
                .contains("DFB105: MicroProfile's @Fallback on the same method", "FallbackBesides.search");
    }

    @Deployment(name = "probe", managed = false, testable = false)
    static WebArchive a_probe_with_a_parameter() {
        return Wars.of("probe", ProbeWithParameter.class);
    }

    @Test
    void a_probe_with_a_parameter_fails_the_deployment() {
        assertThat(failureOf("probe")).contains("DFB106: the probe method does not fit", "ProbeWithParameter.ask");
    }

    @Deployment(name = "lonely", managed = false, testable = false)
    static WebArchive a_probe_for_a_breaker_that_nobody_uses() {
        return Wars.of("lonely", LonelyProbe.class);
    }

    @Test
    void a_probe_for_a_breaker_that_nobody_uses_fails_the_deployment() {
        assertThat(failureOf("lonely"))
                .contains("DFB107: a probe for a breaker that nobody uses", "LonelyProbe.ask", "nobody");
    }

    @Deployment(name = "probes", managed = false, testable = false)
    static WebArchive two_probes_for_one_breaker() {
        return Wars.of("probes", TwoProbes.class);
    }

    @Test
    void two_probes_for_one_breaker_fails_the_deployment() {
        assertThat(failureOf("probes")).contains("DFB108: two probes for one breaker", "TwoProbes.ask", "games");
    }

    @Deployment(name = "policies", managed = false, testable = false)
    static WebArchive two_policies_for_one_breaker() {
        return Wars.of("policies", TwoPolicies.class);
    }

    @Test
    void two_policies_for_one_breaker_fails_the_deployment() {
        assertThat(failureOf("policies")).contains("DFB109: two policies for one breaker", "TwoPolicies", "games");
    }

    @Deployment(name = "name", managed = false, testable = false)
    static WebArchive a_blank_name() {
        return Wars.of("name", BlankName.class);
    }

    @Test
    void a_blank_name_fails_the_deployment() {
        assertThat(failureOf("name")).contains("DFB110: the breaker's name is not usable", "BlankName/search");
    }

    @Deployment(name = "handler-none", managed = false, testable = false)
    static WebArchive a_handler_that_cannot_be_had() {
        return Wars.of("handler-none", NoHandlerToHave.class, AbstractHandler.class);
    }

    @Test
    void a_handler_that_cannot_be_had_fails_the_deployment() {
        assertThat(failureOf("handler-none"))
                .contains("DFB111: the fallback handler cannot be had", "NoHandlerToHave.search", "AbstractHandler]");
    }

    @Deployment(name = "backup-none", managed = false, testable = false)
    static WebArchive a_backup_that_is_no_bean() {
        return Wars.of("backup-none", BackupNoBean.class, Shelf.class);
    }

    @Test
    void a_backup_that_is_no_bean_fails_the_deployment() {
        assertThat(failureOf("backup-none"))
                .contains(
                        "DFB112: the backup is not one bean that can be called",
                        "BackupNoBean",
                        "[backup = java.lang.Runnable]");
    }

    @Deployment(name = "backup-several", managed = false, testable = false)
    static WebArchive a_backup_that_several_beans_could_be() {
        return Wars.of("backup-several", BackupAmbiguous.class, Shelf.class, FirstShelf.class, SecondShelf.class);
    }

    @Test
    void a_backup_that_several_beans_could_be_fails_the_deployment() {
        assertThat(failureOf("backup-several"))
                .contains(
                        "DFB112: the backup is not one bean that can be called",
                        "BackupAmbiguous",
                        "FirstShelf",
                        "SecondShelf");
    }

    @Deployment(name = "backup-itself", managed = false, testable = false)
    static WebArchive a_backup_that_is_the_bean_itself() {
        return Wars.of("backup-itself", BackupItself.class, Shelf.class);
    }

    @Test
    void a_backup_that_is_the_bean_itself_fails_the_deployment() {
        assertThat(failureOf("backup-itself"))
                .contains("DFB113: the backup leads back to the guarded method", "BackupItself");
    }

    @Deployment(name = "backup-other", managed = false, testable = false)
    static WebArchive a_backup_of_another_type() {
        return Wars.of("backup-other", BackupOther.class, Shelf.class, TextHandler.class);
    }

    @Test
    void a_backup_of_another_type_fails_the_deployment() {
        assertThat(failureOf("backup-other"))
                .contains("DFB114: the backup does not have the guarded method", "BackupOther", "TextHandler]");
    }

    @Deployment(name = "final-class", managed = false, testable = false)
    static WebArchive a_final_class() {
        return Wars.of("final-class", FinalClass.class);
    }

    @Test
    void a_final_class_fails_the_deployment() {
        assertThat(failureOf("final-class"))
                .contains("DFB104: the guarded method cannot be intercepted", "FinalClass", "[final class]");
    }

    @Deployment(name = "final-of-class", managed = false, testable = false)
    static WebArchive a_final_method_of_an_annotated_class() {
        return Wars.of("final-of-class", FinalMethodOfClass.class);
    }

    @Test
    void a_final_method_of_an_annotated_class_fails_the_deployment() {
        assertThat(failureOf("final-of-class"))
                .contains("DFB104: the guarded method cannot be intercepted", "FinalMethodOfClass.search");
    }

    @Deployment(name = "client", managed = false, testable = false)
    static WebArchive a_mistake_on_the_interface_of_a_rest_client() {
        return Wars.of("client", BrokenClient.class);
    }

    @Test
    void a_mistake_on_the_interface_of_a_rest_client_fails_the_deployment() {
        assertThat(failureOf("client")).contains("DFB102: the fallback method does not fit", "BrokenClient.search");
    }

    @Deployment(name = "ejb", managed = false, testable = false)
    static WebArchive a_mistake_on_an_enterprise_bean() {
        return Wars.of("ejb", BrokenEnterpriseBean.class);
    }

    @Test
    void a_mistake_on_an_enterprise_bean_fails_the_deployment() {
        assertThat(failureOf("ejb"))
                .contains("DFB102: the fallback method does not fit", "BrokenEnterpriseBean.search");
    }

    @Deployment(name = "value", managed = false, testable = false)
    static WebArchive a_value_that_is_no_number() {
        return Wars.configured(
                Wars.of("value", Sound.class), "distributed-fallback.breaker.games.failure-threshold=many");
    }

    @Test
    void a_value_that_is_no_number_fails_the_deployment() {
        assertThat(failureOf("value"))
                .contains(
                        "DFB201: a value that is not usable",
                        "distributed-fallback.breaker.games.failure-threshold",
                        "[many]");
    }

    @Deployment(name = "negative", managed = false, testable = false)
    static WebArchive a_negative_duration() {
        return Wars.configured(
                Wars.of("negative", Sound.class), "distributed-fallback.breaker.games.probe-interval=-5s");
    }

    @Test
    void a_negative_duration_fails_the_deployment() {
        assertThat(failureOf("negative"))
                .contains(
                        "DFB201: a value that is not usable",
                        "distributed-fallback.breaker.games.probe-interval",
                        "[-5s]");
    }

    @Deployment(name = "key", managed = false, testable = false)
    static WebArchive an_unknown_key() {
        return Wars.configured(Wars.of("key", Sound.class), "distributed-fallback.breaker.games.failure-treshold=4");
    }

    @Test
    void an_unknown_key_fails_the_deployment() {
        assertThat(failureOf("key"))
                .contains("DFB202: an unknown key", "distributed-fallback.breaker.games.failure-treshold");
    }

    @Deployment(name = "lease", managed = false, testable = false)
    static WebArchive a_lease_shorter_than_the_probe() {
        return Wars.configured(
                Wars.of("lease", Sound.class),
                "distributed-fallback.breaker.games.probe-lease=2s",
                "distributed-fallback.breaker.games.probe-timeout=5s");
    }

    @Test
    void a_lease_shorter_than_the_probe_fails_the_deployment() {
        assertThat(failureOf("lease")).contains("DFB203: values that do not fit together", "games");
    }

    @Deployment(name = "several", managed = false, testable = false)
    static WebArchive several_mistakes_at_once() {
        return Wars.configured(
                Wars.of("several", MissingMethod.class, OtherHandler.class, TextHandler.class, LonelyProbe.class),
                "distributed-fallback.default.probe-interval=never",
                "distributed-fallback.colour=red");
    }

    @Test
    void several_mistakes_at_once_are_all_told_in_one_message() {
        assertThat(failureOf("several")).contains("DFB102", "DFB103", "DFB107", "DFB201", "DFB202");
    }

    /** The messages of all causes, as an operator finds them in the log. */
    private String failureOf(String deployment) {
        Throwable failure = catchThrowable(() -> deployer.deploy(deployment));
        if (failure == null) {
            deployer.undeploy(deployment);
        }
        assertThat(failure).as("the deployment fails").isNotNull();
        StringBuilder messages = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            messages.append(cause.getMessage()).append('\n');
        }
        return messages.toString();
    }
}
