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
import io.distributedfallback.it.harness.LibertyServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in the code or in the configuration fails the deployment, with a message that says what to do. One server gets
 * an application for each mistake, all at once.
 */
class DefinitionErrorsIT {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** What the server logs of an application that fails, up to the next line with a time. */
    private static final Pattern FAILED =
            Pattern.compile("CWWKZ0002E: [^\\n]*? application (\\S+?)\\. ([^\\n]*(?:\\n(?!\\[\\d)[^\\n]*)*)");

    private static final Pattern STARTED = Pattern.compile("CWWKZ0001I: .*? (\\S+) started in");

    private static final List<Defect> DEFECTS = List.of(
            Defect.in("two ways to fall back on one method", BothMembers.class, TextHandler.class)
                    .tells("DFB101: more than one of fallbackMethod, value and backup is given", "BothMembers.search"),
            Defect.in("a fallback method with other parameters", OtherParameters.class)
                    .tells(
                            "DFB102: the fallback method does not fit",
                            "OtherParameters.search",
                            "[fallbackMethod = other]"),
            Defect.in("a fallback method with another return type", OtherReturnType.class)
                    .tells(
                            "DFB102: the fallback method does not fit",
                            "OtherReturnType.search",
                            "[fallbackMethod = other]"),
            Defect.in("a fallback method that does not exist", MissingMethod.class)
                    .tells(
                            "DFB102: the fallback method does not fit",
                            "MissingMethod.search",
                            "[fallbackMethod = nowhere]"),
            Defect.in("a handler for another type", OtherHandler.class, TextHandler.class)
                    .tells("DFB103: the fallback handler does not fit", "OtherHandler.count", "TextHandler"),
            Defect.in("a private guarded method", PrivateMethod.class)
                    .tells("DFB104: the guarded method cannot be intercepted", "PrivateMethod.guarded"),
            Defect.in("a static guarded method", StaticMethod.class)
                    .tells("DFB104: the guarded method cannot be intercepted", "StaticMethod.search"),
            Defect.in("a final guarded method", FinalMethod.class)
                    .tells("DFB104: the guarded method cannot be intercepted", "FinalMethod.search"),
            Defect.in("the fallback annotation of microprofile on the same method", FallbackBesides.class)
                    .tells("DFB105: MicroProfile's @Fallback on the same method", "FallbackBesides.search"),
            Defect.in("a probe with a parameter", ProbeWithParameter.class)
                    .tells("DFB106: the probe method does not fit", "ProbeWithParameter.ask"),
            Defect.in("a probe for a breaker that nobody uses", LonelyProbe.class)
                    .tells("DFB107: a probe for a breaker that nobody uses", "LonelyProbe.ask", "nobody"),
            Defect.in("two probes for one breaker", TwoProbes.class)
                    .tells("DFB108: two probes for one breaker", "TwoProbes.ask", "games"),
            Defect.in("two policies for one breaker", TwoPolicies.class)
                    .tells("DFB109: two policies for one breaker", "TwoPolicies", "games"),
            Defect.in("a blank name", BlankName.class)
                    .tells("DFB110: the breaker's name is not usable", "BlankName/search"),
            Defect.in("a handler that cannot be had", NoHandlerToHave.class, AbstractHandler.class)
                    .tells("DFB111: the fallback handler cannot be had", "NoHandlerToHave.search", "AbstractHandler]"),
            Defect.in("a backup that is no bean", BackupNoBean.class, Shelf.class)
                    .tells(
                            "DFB112: the backup is not one bean that can be called",
                            "BackupNoBean",
                            "[backup = java.lang.Runnable]"),
            Defect.in(
                            "a backup that several beans could be",
                            BackupAmbiguous.class,
                            Shelf.class,
                            FirstShelf.class,
                            SecondShelf.class)
                    .tells(
                            "DFB112: the backup is not one bean that can be called",
                            "BackupAmbiguous",
                            "FirstShelf",
                            "SecondShelf"),
            Defect.in("a backup that is the bean itself", BackupItself.class, Shelf.class)
                    .tells("DFB113: the backup leads back to the guarded method", "BackupItself"),
            Defect.in("a backup of another type", BackupOther.class, Shelf.class, TextHandler.class)
                    .tells("DFB114: the backup does not have the guarded method", "BackupOther", "TextHandler]"),
            Defect.in("a final class", FinalClass.class)
                    .tells("DFB104: the guarded method cannot be intercepted", "FinalClass", "[final class]"),
            Defect.in("a final method of an annotated class", FinalMethodOfClass.class)
                    .tells("DFB104: the guarded method cannot be intercepted", "FinalMethodOfClass.search"),
            Defect.in("a mistake on the interface of a rest client", BrokenClient.class)
                    .tells("DFB102: the fallback method does not fit", "BrokenClient.search"),
            Defect.in("a mistake on an enterprise bean", BrokenEnterpriseBean.class)
                    .tells("DFB102: the fallback method does not fit", "BrokenEnterpriseBean.search"),
            Defect.in("a value that is no number", Sound.class)
                    .configured("distributed-fallback.breaker.games.failure-threshold=many")
                    .tells(
                            "DFB201: a value that is not usable",
                            "distributed-fallback.breaker.games.failure-threshold",
                            "[many]"),
            Defect.in("a negative duration", Sound.class)
                    .configured("distributed-fallback.breaker.games.probe-interval=-5s")
                    .tells(
                            "DFB201: a value that is not usable",
                            "distributed-fallback.breaker.games.probe-interval",
                            "[-5s]"),
            Defect.in("an unknown key", Sound.class)
                    .configured("distributed-fallback.breaker.games.failure-treshold=4")
                    .tells("DFB202: an unknown key", "distributed-fallback.breaker.games.failure-treshold"),
            Defect.in("a lease shorter than the probe", Sound.class)
                    .configured(
                            "distributed-fallback.breaker.games.probe-lease=2s",
                            "distributed-fallback.breaker.games.probe-timeout=5s")
                    .tells("DFB203: values that do not fit together", "games"),
            Defect.in(
                            "several mistakes at once",
                            MissingMethod.class,
                            OtherHandler.class,
                            TextHandler.class,
                            LonelyProbe.class)
                    .problems(5)
                    .configured("distributed-fallback.default.probe-interval=never", "distributed-fallback.colour=red")
                    .tells("DFB102", "DFB103", "DFB107", "DFB201", "DFB202"));

    /** By application; empty for one that has started. */
    private static final Map<String, String> MESSAGES = new HashMap<>();

    static List<Defect> defects() {
        return DEFECTS;
    }

    @BeforeAll
    static void deploy_all() {
        LibertyServer server = LibertyServer.launch(
                "definitions", "liberty/definitions-server.xml", Wars.of("app", Sound.class), Map.of(), Map.of());
        try (server) {
            DEFECTS.forEach(defect -> server.drop(defect.war()));
            until("all have failed or started", PATIENCE, () -> {
                read(server.log());
                return MESSAGES.size() == DEFECTS.size() + 1;
            });
        }
        // The last message may have been read while it was being written.
        read(server.log());
    }

    private static void read(String log) {
        for (Matcher failed = FAILED.matcher(log); failed.find(); ) {
            MESSAGES.put(failed.group(1), failed.group(2));
        }
        for (Matcher started = STARTED.matcher(log); started.find(); ) {
            MESSAGES.put(started.group(1), "");
        }
    }

    @Test
    void an_application_without_a_mistake_starts_beside_them() {
        assertThat(MESSAGES).containsEntry("app", "");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("defects")
    void fails_the_deployment_with_a_message_that_names_it(Defect defect) {
        String message = MESSAGES.get(defect.application());
        assertThat(message)
                .as("an operator reads this")
                .contains("Distributed Fallback found " + defect.problems() + " problem")
                .contains(defect.told());
        assertThat(message.lines().filter(line -> line.startsWith("  DFB"))).hasSize(defect.problems());
    }
}
