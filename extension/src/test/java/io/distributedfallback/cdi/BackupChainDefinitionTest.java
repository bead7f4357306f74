package io.distributedfallback.cdi;

import io.distributedfallback.BreakerKey;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.FallbackLimit;
import io.distributedfallback.FallbackLimitedException;
import io.distributedfallback.LastGood;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.Vetoed;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import java.io.IOException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which beans can be a chain in {@code backup}, and which cannot. */
class BackupChainDefinitionTest extends InWeld {

    interface Search {
        String search(String query) throws IOException;
    }

    interface Catalog extends Search {
        String count(String query) throws IOException;
    }

    /** Down, unless a subclass says something else. */
    abstract static class Down implements Catalog {
        @Override
        public String search(String query) throws IOException {
            throw new IOException("HTTP 503");
        }

        @Override
        public String count(String query) throws IOException {
            throw new IOException("HTTP 503");
        }
    }

    @ApplicationScoped
    @Typed(Guarded.class)
    @DistributedFallback(breaker = "guarded")
    static class Guarded extends Down {}

    @ApplicationScoped
    @Typed(Unguarded.class)
    static class Unguarded extends Down {
        @Override
        public String search(String query) {
            return "unguarded";
        }

        @Override
        public String count(String query) {
            return "unguarded";
        }
    }

    @ApplicationScoped
    @Typed(Last.class)
    static class Last extends Unguarded {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "primary",
            backup = {Unguarded.class, Last.class})
    static class OverUnguarded extends Down {}

    @Test
    void one_before_the_last_that_is_not_guarded_fails_the_deployment() {
        assertThatThrownBy(() -> start(OverUnguarded.class, Unguarded.class, Last.class))
                .hasMessageContaining("DFB135")
                .hasMessageContaining(OverUnguarded.class.getName() + " (@DistributedFallback")
                .hasMessageContaining("[backup = " + Unguarded.class.getName() + "]");
    }

    @ApplicationScoped
    @Typed(CountGuarded.class)
    static class CountGuarded extends Down {
        @Override
        @DistributedFallback(breaker = "count")
        public String count(String query) throws IOException {
            return super.count(query);
        }
    }

    @ApplicationScoped
    static class OnMethods extends Down {
        @Override
        @DistributedFallback(
                breaker = "search",
                backup = {CountGuarded.class, Last.class})
        public String search(String query) throws IOException {
            return super.search(query);
        }

        @Override
        @DistributedFallback(
                breaker = "of count",
                backup = {CountGuarded.class, Last.class})
        public String count(String query) throws IOException {
            return super.count(query);
        }
    }

    @Test
    void it_must_be_guarded_on_the_very_method() {
        assertThatThrownBy(() -> start(OnMethods.class, CountGuarded.class, Last.class))
                .hasMessageContaining("DFB135")
                .hasMessageContaining("OnMethods.search [backup = " + CountGuarded.class.getName())
                .hasMessageNotContaining("OnMethods.count");
    }

    @ApplicationScoped
    @Typed(Sharing.class)
    @DistributedFallback(breaker = "primary")
    static class Sharing extends Down {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "primary",
            backup = {Sharing.class, Last.class})
    static class OverSharing extends Down {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "twice",
            backup = {Guarded.class, Guarded.class})
    static class OverTwice extends Down {}

    @Test
    void one_that_shares_the_breaker_of_the_primary_fails_the_deployment() {
        assertThatThrownBy(() -> start(OverSharing.class, Sharing.class, Last.class))
                .hasMessageContaining("DFB136")
                .hasMessageContaining("[backup = " + Sharing.class.getName() + "]. Its breaker is \"primary\"");
    }

    @Test
    void one_that_is_named_twice_shares_its_breaker_with_itself() {
        assertThatThrownBy(() -> start(OverTwice.class, Guarded.class))
                .hasMessageContaining("DFB136")
                .hasMessageContaining("Its breaker is \"guarded\"");
    }

    @Test
    void a_breaker_may_come_to_be_shared_by_the_configuration() {
        settings.put(Guarded.class.getName() + "/DistributedFallback/breaker", "good");
        assertThatThrownBy(() -> start(Good.class, Guarded.class, Backed.class, Last.class))
                .hasMessageContaining("DFB136")
                .hasMessageContaining("Its breaker is \"good\"");
    }

    @ApplicationScoped
    @Typed(Backed.class)
    @DistributedFallback(breaker = "backed", backup = Last.class)
    static class Backed extends Down {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "bad",
            backup = {Backed.class, Unguarded.class})
    static class OverBacked extends Down {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "good",
            backup = {Guarded.class, Backed.class})
    static class Good extends Down {}

    @Test
    void one_before_the_last_that_has_a_fallback_of_its_own_fails_the_deployment() {
        assertThatThrownBy(() -> start(OverBacked.class, Backed.class, Unguarded.class, Last.class))
                .hasMessageContaining("DFB137")
                .hasMessageContaining("[backup = " + Backed.class.getName() + "]");
    }

    @Test
    void the_last_may_have_one() throws Exception {
        assertThat(start(Good.class, Guarded.class, Backed.class, Last.class).search("q"))
                .isEqualTo("unguarded");
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "head",
            backup = {Guarded.class, Tail.class})
    static class Head extends Down {}

    @ApplicationScoped
    @Typed(Tail.class)
    @DistributedFallback(breaker = "tail", backup = Head.class)
    static class Tail extends Down {}

    @Test
    void a_chain_that_leads_back_fails_the_deployment() {
        assertThatThrownBy(() -> start(Head.class, Guarded.class, Tail.class))
                .hasMessageContaining("DFB113")
                .hasMessageContaining(Head.class.getName() + " -> " + Tail.class.getName() + " -> ");
    }

    @ApplicationScoped
    @Typed(SearchOnly.class)
    @DistributedFallback(breaker = "search only")
    static class SearchOnly implements Search {
        @Override
        public String search(String query) {
            return "search only";
        }
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "over search only",
            backup = {SearchOnly.class, Last.class})
    static class OverSearchOnly extends Down {
        String own() throws IOException {
            return super.count("");
        }
    }

    @Test
    void with_the_annotation_on_the_class_one_that_does_not_have_a_method_is_passed_over_there() throws Exception {
        OverSearchOnly catalog = start(OverSearchOnly.class, SearchOnly.class, Last.class);
        assertThat(catalog.search("q")).isEqualTo("search only");
        assertThat(catalog.count("q")).isEqualTo("unguarded");
        assertThat(warnings.of("DFB138"))
                .singleElement()
                .asString()
                .contains(".count", "backup = " + SearchOnly.class.getName());
        assertThat(warnings.of("DFB115")).singleElement().asString().contains("[own]");
        assertThatThrownBy(catalog::own).isInstanceOf(IOException.class);
        assertThat(failuresOf("over search only")).isEqualTo(2);
    }

    @ApplicationScoped
    static class OnMethod extends Down {
        @Override
        @DistributedFallback(
                breaker = "on method",
                backup = {SearchOnly.class, Last.class})
        public String count(String query) throws IOException {
            return super.count(query);
        }
    }

    @Test
    void with_the_annotation_on_the_method_one_that_does_not_have_it_fails_the_deployment() {
        assertThatThrownBy(() -> start(OnMethod.class, SearchOnly.class, Last.class))
                .hasMessageContaining("DFB114")
                .hasMessageContaining("[backup = " + SearchOnly.class.getName());
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "keyed",
            backup = {KeyedBackup.class, Last.class})
    static class Keyed extends Down {
        @Override
        public String search(@BreakerKey String query) throws IOException {
            return super.search(query);
        }
    }

    @ApplicationScoped
    @Typed(KeyedBackup.class)
    @DistributedFallback(breaker = "keyed backup", failOn = IOException.class)
    static class KeyedBackup extends Down {
        int asked;

        @Override
        public String search(@BreakerKey String query) throws IOException {
            asked++;
            return super.search(query);
        }

        int asked() {
            return asked;
        }
    }

    @Test
    void one_may_have_a_breaker_for_each_key() throws Exception {
        Keyed catalog = start(Keyed.class, KeyedBackup.class, Last.class);
        for (int i = 0; i < 5; i++) {
            assertThat(catalog.search("acme")).isEqualTo("unguarded");
        }
        assertThat(catalog.search("zenith")).isEqualTo("unguarded");
        assertThat(container.select(KeyedBackup.class).get().asked()).isEqualTo(4);
        Breakers breakers = container.select(Breakers.class).get();
        assertThat(breakers.get("keyed backup", "acme").isOpen()).isTrue();
        assertThat(breakers.get("keyed backup", "zenith").isOpen()).isFalse();
    }

    @Vetoed
    @DistributedFallback(
            breaker = "produced",
            backup = {ProducedBackup.class, Last.class})
    static class Produced extends Down {}

    @Vetoed
    @DistributedFallback(breaker = "produced backup")
    static class ProducedBackup extends Down {}

    @ApplicationScoped
    static class Producers {
        @Produces
        @Typed(Produced.class)
        Produced produced(InterceptionFactory<Produced> factory) {
            return factory.createInterceptedInstance(new Produced());
        }

        @Produces
        @Typed(ProducedBackup.class)
        ProducedBackup backup(InterceptionFactory<ProducedBackup> factory) {
            return factory.createInterceptedInstance(new ProducedBackup());
        }
    }

    @Test
    void what_a_producer_makes_may_be_guarded_and_be_in_a_chain() throws Exception {
        startAll(Producers.class, Last.class);
        Produced catalog = container.select(Produced.class).get();
        for (int i = 0; i < 5; i++) {
            assertThat(catalog.search("q")).isEqualTo("unguarded");
        }
        assertThat(failuresOf("produced backup")).isEqualTo(3);
    }

    @ApplicationScoped
    @Typed(Keeping.class)
    @LastGood
    @DistributedFallback(breaker = "keeping")
    static class Keeping extends Down {}

    @ApplicationScoped
    @DistributedFallback(
            breaker = "over keeping",
            backup = {Keeping.class, Last.class})
    static class OverKeeping extends Down {}

    @Test
    void one_before_the_last_must_not_answer_from_its_last_good_results_either() {
        assertThatThrownBy(() -> start(OverKeeping.class, Keeping.class, Last.class))
                .hasMessageContaining("DFB137")
                .hasMessageContaining("[backup = " + Keeping.class.getName() + "]");
    }

    @ApplicationScoped
    @FallbackLimit(1)
    @DistributedFallback(
            breaker = "limited",
            backup = {Guarded.class, Last.class})
    static class Limited extends Down {}

    @Test
    void a_limit_beside_the_primary_is_one_for_the_whole_chain() throws Exception {
        Limited catalog = start(Limited.class, Guarded.class, Last.class);
        assertThat(catalog.search("q")).isEqualTo("unguarded");
        assertThatThrownBy(() -> catalog.search("q"))
                .isInstanceOf(IOException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .isInstanceOf(FallbackLimitedException.class));
        assertThat(failuresOf("guarded")).isEqualTo(1);
    }

    @ApplicationScoped
    @LastGood
    @DistributedFallback(
            breaker = "last good",
            backup = {Guarded.class, Last.class})
    static class BeforeChain implements Catalog {
        static boolean down;

        @Override
        public String search(String query) throws IOException {
            if (down) {
                throw new IOException("HTTP 503");
            }
            return "primary";
        }

        @Override
        public String count(String query) throws IOException {
            return search(query);
        }
    }

    @Test
    void a_last_good_result_of_the_primary_answers_before_the_chain() throws Exception {
        BeforeChain.down = false;
        Catalog catalog = start(BeforeChain.class, Guarded.class, Last.class);
        assertThat(catalog.search("q")).isEqualTo("primary");
        BeforeChain.down = true;
        assertThat(catalog.search("q")).isEqualTo("primary");
        assertThat(catalog.search("another")).isEqualTo("unguarded");
        assertThat(failuresOf("guarded")).isEqualTo(1);
    }
}
