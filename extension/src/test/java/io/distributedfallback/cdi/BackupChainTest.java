package io.distributedfallback.cdi;

import com.sun.net.httpserver.HttpServer;
import io.distributedfallback.BreakerOpenException;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Several in {@code backup}: providers that are asked one after the other, each behind a breaker of its own. */
class BackupChainTest extends InWeld {

    private static final Map<String, Server> SERVERS = new ConcurrentHashMap<>();
    private static final String[] NAMES = {"rawg", "igdb", "steam", "nothing"};

    /** A provider that counts who asks it. */
    private static final class Server {
        private final HttpServer http;
        private final AtomicInteger asked = new AtomicInteger();
        private volatile int status = 200;

        Server() throws IOException {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            http.createContext("/", exchange -> {
                asked.incrementAndGet();
                exchange.sendResponseHeaders(status, -1);
                exchange.close();
            });
            http.start();
        }

        void ask(String name) throws IOException {
            HttpURLConnection request = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/")
                            .toURL()
                            .openConnection();
            int answer = request.getResponseCode();
            if (answer == 404) {
                throw new NoSuchGame();
            }
            if (answer != 200) {
                throw new IOException(name + ": HTTP " + answer);
            }
        }
    }

    @BeforeEach
    void startServers() throws IOException {
        for (String name : NAMES) {
            SERVERS.put(name, new Server());
        }
    }

    @AfterEach
    void stopServers() {
        SERVERS.values().forEach(server -> server.http.stop(0));
        SERVERS.clear();
    }

    private static void answer(int status, String... names) {
        for (String name : names) {
            SERVERS.get(name).status = status;
        }
    }

    private static int asked(String name) {
        return SERVERS.get(name).asked.get();
    }

    static class NoSuchGame extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    interface Shop {
        String price(String game) throws IOException;

        CompletionStage<String> priceLater(String game);

        Future<String> priceWhenAsked(String game);
    }

    /** Asks a server in each of the three ways. */
    abstract static class Provider implements Shop {
        abstract String name();

        @Override
        public String price(String game) throws IOException {
            return ask(game, name());
        }

        @Override
        public CompletionStage<String> priceLater(String game) {
            String name = name();
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return ask(game, name);
                } catch (IOException e) {
                    throw new CompletionException(e);
                }
            });
        }

        @Override
        public Future<String> priceWhenAsked(String game) {
            FutureTask<String> task = new FutureTask<>(() -> ask(game, name()));
            task.run();
            return task;
        }

        private static String ask(String game, String name) throws IOException {
            SERVERS.get(name).ask(name);
            return game + " at " + name;
        }
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "rawg",
            backup = {Igdb.class, Steam.class, Nothing.class})
    static class Rawg extends Provider {
        @Override
        String name() {
            return "rawg";
        }
    }

    @ApplicationScoped
    @Typed(Igdb.class)
    @DistributedFallback(breaker = "igdb", skipOn = NoSuchGame.class)
    static class Igdb extends Provider {
        @Override
        String name() {
            return "igdb";
        }
    }

    @ApplicationScoped
    @Typed(Steam.class)
    @DistributedFallback(breaker = "steam")
    static class Steam extends Provider {
        @Override
        String name() {
            return "steam";
        }
    }

    @ApplicationScoped
    @Typed(Nothing.class)
    static class Nothing extends Provider {
        @Override
        String name() {
            return "nothing";
        }
    }

    private enum Form {
        PLAIN {
            @Override
            String price(Shop shop) throws IOException {
                return shop.price("Portal");
            }
        },
        STAGE {
            @Override
            String price(Shop shop) throws Exception {
                return get(shop.priceLater("Portal").toCompletableFuture());
            }
        },
        FUTURE {
            @Override
            String price(Shop shop) throws Exception {
                return get(shop.priceWhenAsked("Portal"));
            }
        };

        abstract String price(Shop shop) throws Exception;

        private static String get(Future<String> future) throws Exception {
            try {
                return future.get();
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            }
        }
    }

    private Shop shop() {
        return start(Rawg.class, Igdb.class, Steam.class, Nothing.class);
    }

    private boolean isOpen(String breaker) {
        return container.select(Breakers.class).get().get(breaker).isOpen();
    }

    @ParameterizedTest
    @EnumSource
    void the_first_that_works_answers_and_those_after_it_are_not_asked(Form form) throws Exception {
        Shop shop = shop();
        assertThat(form.price(shop)).isEqualTo("Portal at rawg");
        answer(503, "rawg");
        assertThat(form.price(shop)).isEqualTo("Portal at igdb");
        assertThat(asked("igdb")).isEqualTo(1);
        assertThat(asked("steam")).isZero();
        assertThat(asked("nothing")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void one_whose_breaker_is_open_is_never_tried(Form form) throws Exception {
        Shop shop = shop();
        answer(503, "rawg", "igdb");
        for (int i = 0; i < 20; i++) {
            assertThat(form.price(shop)).isEqualTo("Portal at steam");
        }
        assertThat(asked("rawg")).isEqualTo(3);
        assertThat(asked("igdb")).isEqualTo(3);
        assertThat(asked("steam")).isEqualTo(20);
        answer(503, "steam");
        for (int i = 0; i < 20; i++) {
            assertThat(form.price(shop)).isEqualTo("Portal at nothing");
        }
        assertThat(asked("rawg")).isEqualTo(3);
        assertThat(asked("igdb")).isEqualTo(3);
        assertThat(asked("steam")).isEqualTo(23);
        assertThat(asked("nothing")).isEqualTo(20);
    }

    @ParameterizedTest
    @EnumSource
    void each_failure_counts_at_the_breaker_of_its_provider(Form form) throws Exception {
        Shop shop = shop();
        answer(503, "rawg", "igdb");
        form.price(shop);
        form.price(shop);
        assertThat(failuresOf("rawg")).isEqualTo(2);
        assertThat(failuresOf("igdb")).isEqualTo(2);
        assertThat(failuresOf("steam")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void a_failure_that_is_the_callers_by_the_rules_of_a_provider_ends_the_chain(Form form) {
        Shop shop = shop();
        answer(503, "rawg");
        answer(404, "igdb");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> form.price(shop))
                    .hasMessage("rawg: HTTP 503")
                    .satisfies(failure ->
                            assertThat(failure.getSuppressed()).singleElement().isInstanceOf(NoSuchGame.class));
        }
        assertThatThrownBy(() -> form.price(shop)).isInstanceOf(NoSuchGame.class);
        assertThat(asked("steam")).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void if_all_fail_the_caller_gets_the_failure_of_the_primary_with_the_others_suppressed_in_their_order(Form form) {
        Shop shop = shop();
        answer(503, NAMES);
        assertThatThrownBy(() -> form.price(shop))
                .hasMessage("rawg: HTTP 503")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("igdb: HTTP 503", "steam: HTTP 503", "nothing: HTTP 503"));
    }

    @ParameterizedTest
    @EnumSource
    void if_all_fail_and_the_primary_is_not_asked_the_caller_gets_the_last_failure_with_the_others_suppressed(
            Form form) {
        Shop shop = shop();
        answer(503, NAMES);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> form.price(shop)).hasMessage("rawg: HTTP 503");
        }
        assertThatThrownBy(() -> form.price(shop))
                .hasMessage("nothing: HTTP 503")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .allSatisfy(earlier -> assertThat(earlier).isInstanceOf(BreakerOpenException.class))
                        .extracting(earlier -> ((BreakerOpenException) earlier).breaker())
                        .containsExactly("igdb", "steam"));
        assertThat(asked("nothing")).isEqualTo(4);
    }

    @Test
    void a_provider_that_is_back_is_asked_again_before_those_after_it() throws Exception {
        Shop shop = shop();
        answer(503, "rawg", "igdb");
        for (int i = 0; i < 3; i++) {
            shop.price("Portal");
        }
        assertThat(isOpen("igdb")).isTrue();
        answer(200, "igdb");
        container.select(Breakers.class).get().get("igdb").reset("the test", "it is back");
        assertThat(shop.price("Portal")).isEqualTo("Portal at igdb");
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "narrow primary",
            backup = {Narrow.class, Nothing.class})
    static class OverNarrow extends Rawg {}

    @ApplicationScoped
    @Typed(Narrow.class)
    @DistributedFallback(breaker = "narrow", failOn = IOException.class)
    static class Narrow extends Igdb {}

    @Test
    void the_refusal_of_a_providers_breaker_passes_the_call_on_whatever_its_failOn_says() throws Exception {
        Shop shop = start(OverNarrow.class, Narrow.class, Nothing.class);
        answer(503, "rawg", "igdb");
        for (int i = 0; i < 5; i++) {
            assertThat(shop.price("Portal")).isEqualTo("Portal at nothing");
        }
        assertThat(asked("igdb")).isEqualTo(3);
    }

    @ApplicationScoped
    @DistributedFallback(
            breaker = "sick primary",
            backup = {Sick.class, Nothing.class})
    static class OverSick extends Rawg {}

    @ApplicationScoped
    @Typed(Sick.class)
    @DistributedFallback(breaker = "sick")
    static class Sick extends Provider {
        @Override
        String name() {
            throw new StackOverflowError("sick");
        }
    }

    @Test
    void an_error_ends_the_chain_and_is_what_the_caller_gets() {
        Shop shop = start(OverSick.class, Sick.class, Nothing.class);
        answer(503, "rawg");
        assertThatThrownBy(() -> shop.price("Portal")).isInstanceOf(StackOverflowError.class);
        assertThat(asked("nothing")).isZero();
    }

    @Test
    void the_configuration_may_name_others_and_another_order() throws Exception {
        settings.put(
                Rawg.class.getName() + "/DistributedFallback/backup",
                Steam.class.getName() + ", " + Igdb.class.getName());
        Shop shop = shop();
        answer(503, "rawg");
        assertThat(shop.price("Portal")).isEqualTo("Portal at steam");
        answer(503, "steam");
        assertThat(shop.price("Portal")).isEqualTo("Portal at igdb");
    }

    @Test
    void a_provider_whose_breaker_is_switched_off_is_tried_by_each_call_and_passes_it_on_all_the_same()
            throws Exception {
        settings.put(Igdb.class.getName() + "/DistributedFallback/enabled", "false");
        Shop shop = shop();
        answer(503, "rawg", "igdb");
        for (int i = 0; i < 5; i++) {
            assertThat(shop.price("Portal")).isEqualTo("Portal at steam");
        }
        assertThat(asked("igdb")).isEqualTo(5);
    }

    @Test
    void without_any_breaker_the_chain_is_left() throws Exception {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Shop shop = shop();
        answer(503, "rawg", "igdb");
        for (int i = 0; i < 5; i++) {
            assertThat(shop.price("Portal")).isEqualTo("Portal at steam");
        }
        assertThat(asked("rawg")).isEqualTo(5);
    }
}
