package io.distributedfallback.cdi;

import io.distributedfallback.BreakerKey;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.LastGood;
import io.distributedfallback.QueueKey;
import io.distributedfallback.QueueWhenOpen;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What {@code @QueueWhenOpen} asks of a method, at deployment. */
class QueueDefinitionsTest extends InWeld {

    @BeforeEach
    void share() {
        settings.put("distributed-fallback.store", "jpa");
        settings.put("distributed-fallback.datasource", "jdbc/nowhere");
    }

    private void refuses(Class<?> bean, String... texts) {
        assertThatThrownBy(() -> start(bean))
                .satisfies(thrown -> assertThat(thrown.toString()).contains(texts));
    }

    @ApplicationScoped
    static class Sound {
        @DistributedFallback(breaker = "a")
        @QueueWhenOpen
        void plain(@QueueKey long key, List<String> texts) {}

        @DistributedFallback(breaker = "a")
        @QueueWhenOpen
        CompletionStage<Void> stage() {
            return CompletableFuture.completedFuture(null);
        }

        @DistributedFallback(breaker = "a")
        @QueueWhenOpen
        CompletableFuture<Void> future() {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void void_and_stages_of_nothing_are_fine() {
        assertThat(start(Sound.class)).isNotNull();
    }

    @ApplicationScoped
    static class Arguments {
        @DistributedFallback
        @QueueWhenOpen
        void send(String text, InputStream picture, Supplier<String> later, @QueueKey List<String> key) {}
    }

    @Test
    void each_parameter_that_cannot_be_stored_is_named() {
        refuses(
                Arguments.class,
                "DFB129",
                "(2 of 4)",
                "java.io.InputStream",
                "(3 of 4)",
                "java.util.function.Supplier is" + " generic",
                "(4 of 4): @QueueKey on java.util.List<java.lang.String>");
    }

    @Test
    void breakers_in_memory_have_no_place_for_calls() {
        settings.put("distributed-fallback.store", "memory");
        refuses(Sound.class, "DFB130", "store=memory");
    }

    @Test
    void where_it_is_switched_off_nothing_is_asked() {
        settings.put("distributed-fallback.store", "memory");
        settings.put("QueueWhenOpen/enabled", "false");
        assertThat(start(Sound.class)).isNotNull();
    }

    @ApplicationScoped
    static class Fallbacks {
        @DistributedFallback(fallbackMethod = "instead")
        @QueueWhenOpen
        @LastGood
        void send(String text) {}

        void instead(String text) {}
    }

    @Test
    void no_other_answer_stands_beside_it() {
        refuses(Fallbacks.class, "DFB131", "fallbackMethod = instead, @LastGood");
    }

    @ApplicationScoped
    static class Keyed {
        @DistributedFallback(breaker = "a")
        @QueueWhenOpen
        void send(@BreakerKey String region, String text) {}
    }

    @Test
    void a_breaker_for_each_key_would_let_calls_of_one_key_stand_in_the_way_of_all_others() {
        refuses(Keyed.class, "DFB134", "@BreakerKey");
    }

    @ApplicationScoped
    static class Answers {
        @DistributedFallback
        @QueueWhenOpen
        int number() {
            return 1;
        }

        @DistributedFallback
        @QueueWhenOpen
        CompletionStage<String> text() {
            return CompletableFuture.completedFuture("");
        }
    }

    @Test
    void nobody_may_wait_for_an_answer() {
        refuses(Answers.class, "DFB132", "[int]", "CompletionStage<java.lang.String>");
    }

    interface Sender {
        void send(String text);
    }

    @ApplicationScoped
    @Typed(Sender.class)
    static class OnlyByInterface implements Sender {
        @Override
        @DistributedFallback
        @QueueWhenOpen
        public void send(String text) {}
    }

    @Test
    void the_bean_must_be_one_that_can_be_called_later() {
        assertThatThrownBy(() -> startAll(OnlyByInterface.class)).hasMessageContaining("DFB134");
    }

    @ApplicationScoped
    static class Unguarded {
        @DistributedFallback
        void send(@QueueKey String text) {}
    }

    @Test
    void a_key_without_a_queue_is_a_mistake() {
        refuses(Unguarded.class, "DFB134", "@QueueKey");
    }

    @ApplicationScoped
    static class Forgotten {
        @QueueWhenOpen
        void send(String text) {}
    }

    @Test
    void a_queue_without_a_breaker_is_a_mistake() {
        refuses(Forgotten.class, "DFB134", "@QueueWhenOpen", "@DistributedFallback");
    }

    @ApplicationScoped
    static class Pauses {
        @DistributedFallback
        @QueueWhenOpen(backoff = "10m")
        void send(String text) {}

        @DistributedFallback
        @QueueWhenOpen(rate = 0, maxAge = "soon")
        void post(String text) {}
    }

    @Test
    void members_are_checked() {
        refuses(Pauses.class, "DFB214", "backoff=PT10M", "DFB201", "@QueueWhenOpen.rate", "@QueueWhenOpen.maxAge");
    }

    @Test
    void overrides_and_keys_are_checked() {
        settings.put("QueueWhenOpen/rates", "5");
        settings.put("distributed-fallback.queue.lease", "1ms");
        settings.put("distributed-fallback.queue.max-argument-size", "12");
        settings.put("distributed-fallback.queue.datasource", "ldap://elsewhere");
        refuses(Sound.class, "QueueWhenOpen/rates", "queue.lease", "queue.max-argument-size", "queue.datasource");
    }
}
