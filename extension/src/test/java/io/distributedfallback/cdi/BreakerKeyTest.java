package io.distributedfallback.cdi;

import io.distributedfallback.Breaker;
import io.distributedfallback.BreakerKey;
import io.distributedfallback.BreakerPolicy;
import io.distributedfallback.Breakers;
import io.distributedfallback.DistributedFallback;
import io.distributedfallback.Probe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.enterprise.inject.Vetoed;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.InterceptionFactory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code @BreakerKey}: a breaker for each value of a parameter. */
class BreakerKeyTest extends InWeld {

    private static final String DOWN = "acme";

    private static String askFor(Object tenant) throws IOException {
        if (DOWN.equals(tenant)) {
            throw new IOException("HTTP 503");
        }
        return "primary";
    }

    private interface Call {
        Object of(String tenant) throws Exception;
    }

    /** The provider is down for one tenant, and three calls are enough to know. */
    private void opensForThatTenantOnly(String breaker, Call call) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(call.of(DOWN)).isEqualTo("fallback");
            assertThat(call.of("zenith")).isEqualTo("primary");
        }
        Breakers breakers = container.select(Breakers.class).get();
        assertThat(breakers.get(breaker, DOWN).isOpen()).isTrue();
        assertThat(breakers.get(breaker, "zenith").isOpen()).isFalse();
        assertThat(breakers.get(breaker).isOpen()).isFalse();
        assertThat(call.of("zenith")).isEqualTo("primary");
        assertThat(call.of(null)).isEqualTo("primary");
        assertThat(call.of(DOWN)).isEqualTo("fallback");
    }

    @ApplicationScoped
    static class Games {
        int asked;

        @DistributedFallback(breaker = "rawg", fallbackMethod = "instead")
        String search(int limit, @BreakerKey String tenant) throws IOException {
            asked++;
            return askFor(tenant);
        }

        String instead(int limit, String tenant) {
            return "fallback";
        }

        int asked() {
            return asked;
        }
    }

    @Test
    void the_outage_of_one_tenant_opens_the_breaker_of_that_tenant_only() throws Exception {
        Games games = start(Games.class);
        opensForThatTenantOnly("rawg", tenant -> games.search(10, tenant));
        assertThat(container.select(Breakers.class).get().all())
                .extracting(Breaker::name)
                .containsExactly("rawg", "rawg[acme]", "rawg[zenith]");
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "class", fallbackMethod = "instead")
    static class OnClass {
        String search(@BreakerKey String tenant) throws IOException {
            return askFor(tenant);
        }

        String count(String tenant) throws IOException {
            return askFor(tenant);
        }

        String instead(String tenant) {
            return "fallback";
        }
    }

    @Test
    void with_the_annotation_on_the_class_methods_without_a_key_use_the_breaker_without_one() throws Exception {
        OnClass bean = start(OnClass.class);
        opensForThatTenantOnly("class", bean::search);
        assertThat(bean.count("acme")).isEqualTo("fallback");
        assertThat(failuresOf("class")).isEqualTo(1);
    }

    interface Catalog {
        String search(String tenant) throws IOException;
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "backed", backup = Igdb.class)
    static class Rawg implements Catalog {
        @Override
        public String search(@BreakerKey String tenant) throws IOException {
            return askFor(tenant);
        }
    }

    @ApplicationScoped
    @Typed(Igdb.class)
    static class Igdb implements Catalog {
        @Override
        public String search(@BreakerKey String tenant) {
            return "fallback";
        }
    }

    @Test
    void with_a_backup_the_tenants_calls_go_to_the_other_bean() throws Exception {
        startAll(Rawg.class, Igdb.class);
        Catalog catalog = container.select(Catalog.class).get();
        opensForThatTenantOnly("backed", catalog::search);
    }

    @ApplicationScoped
    static class Later {
        @DistributedFallback(breaker = "later", fallbackMethod = "insteadLater")
        CompletionStage<String> search(@BreakerKey String tenant) {
            return stage(tenant);
        }

        @DistributedFallback(breaker = "future", fallbackMethod = "insteadFuture")
        Future<String> find(@BreakerKey String tenant) {
            return stage(tenant);
        }

        private static CompletableFuture<String> stage(String tenant) {
            try {
                return CompletableFuture.completedFuture(askFor(tenant));
            } catch (IOException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        CompletionStage<String> insteadLater(String tenant) {
            return CompletableFuture.completedFuture("fallback");
        }

        Future<String> insteadFuture(String tenant) {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    @Test
    void asynchronous_methods_have_keys_too() throws Exception {
        Later later = start(Later.class);
        opensForThatTenantOnly(
                "later", tenant -> later.search(tenant).toCompletableFuture().get());
        opensForThatTenantOnly("future", tenant -> later.find(tenant).get());
    }

    enum Region {
        EU
    }

    @ApplicationScoped
    static class Regions {
        @DistributedFallback(breaker = "regions", fallbackMethod = "instead")
        String search(@BreakerKey Region region) throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead(Region region) {
            return "fallback";
        }

        @DistributedFallback(breaker = "shards", fallbackMethod = "instead")
        String search(@BreakerKey int shard) throws IOException {
            throw new IOException("HTTP 503");
        }

        String instead(int shard) {
            return "fallback";
        }
    }

    @Test
    void a_key_may_be_a_constant_or_a_number() throws Exception {
        Regions bean = start(Regions.class);
        assertThat(bean.search(Region.EU)).isEqualTo("fallback");
        assertThat(bean.search(7)).isEqualTo("fallback");
        Breakers breakers = container.select(Breakers.class).get();
        assertThat(breakers.get("regions", "EU").status().standing().consecutiveFailures())
                .isEqualTo(1);
        assertThat(breakers.get("shards", "7").status().standing().consecutiveFailures())
                .isEqualTo(1);
    }

    @ApplicationScoped
    static class Probed {
        private final List<String> probed = new ArrayList<>();

        @DistributedFallback(breaker = "probed")
        void search(@BreakerKey String tenant) {}

        @Probe("probed")
        boolean ask(String tenant) {
            probed.add(tenant);
            return !DOWN.equals(tenant);
        }

        List<String> probed() {
            return probed;
        }
    }

    @Test
    void a_probe_that_takes_a_key_gets_it_and_null_where_there_is_none() throws Exception {
        Probed bean = start(Probed.class);
        BeanManager beans = container.getBeanManager();
        BeanProbe probe = new BeanProbe(
                beans.resolve(beans.getBeans(Probed.class)),
                Probed.class.getDeclaredMethod("ask", String.class),
                beans);
        assertThat(probe.forKey(DOWN).passes()).isFalse();
        assertThat(probe.forKey("zenith").passes()).isTrue();
        assertThat(probe.passes()).isTrue();
        assertThat(bean.probed()).containsExactly(DOWN, "zenith", null);
    }

    @Test
    void max_keys_is_read_from_the_configuration() throws Exception {
        settings.put("distributed-fallback.breaker.rawg.max-keys", "2");
        Games games = start(Games.class);
        for (int i = 0; i < 10; i++) {
            assertThat(games.search(i, "tenant " + i)).isEqualTo("primary");
        }
        assertThat(container.select(Breakers.class).get().all()).hasSize(3);
        assertThat(warnings.of("DFB408"))
                .containsExactly("DFB408: more keys than the breaker has room for: breaker rawg [max-keys is 2]. Calls"
                        + " with further keys share the breaker rawg until others have been idle for two minutes. See"
                        + " that the key is a tenant, a region or the like and not whatever users type, or raise"
                        + " distributed-fallback.breaker.rawg.max-keys");
    }

    @Test
    void where_the_breakers_are_taken_away_a_key_has_none_either() throws Exception {
        settings.put("MP_Fault_Tolerance_NonFallback_Enabled", "false");
        Games games = start(Games.class);
        for (int i = 0; i < 5; i++) {
            assertThat(games.search(1, "acme")).isEqualTo("fallback");
        }
        assertThat(games.asked()).isEqualTo(5);
    }

    @Vetoed
    static class Product {
        @DistributedFallback(breaker = "product", fallbackMethod = "instead")
        String search(@BreakerKey String tenant) throws IOException {
            return askFor(tenant);
        }

        String instead(String tenant) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class ProductFactory {
        @Produces
        @ApplicationScoped
        Product product(InterceptionFactory<Product> factory) {
            return factory.createInterceptedInstance(new Product());
        }
    }

    @Test
    void what_a_producer_makes_has_keys_too() throws Exception {
        startAll(ProductFactory.class);
        opensForThatTenantOnly(
                "product", tenant -> container.select(Product.class).get().search(tenant));
    }

    interface Client {
        String search(int limit, @BreakerKey String tenant);
    }

    @Test
    void the_interface_of_a_rest_client_has_its_keys() {
        startAll(Games.class);
        assertThat(AnnotatedMethods.of(container.getBeanManager().createAnnotatedType(Client.class)))
                .singleElement()
                .satisfies(method -> assertThat(method.keys()).containsExactly(1));
    }

    abstract static class Base {
        @DistributedFallback(breaker = "base", fallbackMethod = "instead")
        String search(@BreakerKey String tenant) throws IOException {
            return askFor(tenant);
        }

        String instead(String tenant) {
            return "fallback";
        }
    }

    @ApplicationScoped
    static class Inherits extends Base {}

    @Test
    void an_inherited_method_has_its_key() throws Exception {
        Inherits bean = start(Inherits.class);
        opensForThatTenantOnly("base", bean::search);
    }

    interface Keyed<T> {
        String search(@BreakerKey T tenant) throws IOException;
    }

    @ApplicationScoped
    @DistributedFallback(breaker = "implements")
    static class Implements implements Keyed<String> {
        @Override
        public String search(String tenant) throws IOException {
            return askFor(tenant);
        }
    }

    @Test
    void a_key_on_the_method_of_an_interface_is_warned_of() throws Exception {
        Implements bean = start(Implements.class);
        assertThat(bean.search("zenith")).isEqualTo("primary");
        assertThat(container.select(Breakers.class).get().all())
                .extracting(Breaker::name)
                .containsExactly("implements");
        assertThat(warnings.of("DFB116"))
                .singleElement()
                .asString()
                .contains("BreakerKeyTest$Keyed.search [@BreakerKey]")
                .contains("Put it on the parameter of", "Implements.search");
    }

    @ApplicationScoped
    static class TwoKeys {
        @DistributedFallback
        void search(@BreakerKey String tenant, @BreakerKey String region) {}

        @DistributedFallback
        void list(@BreakerKey String... tenants) {}

        void unguarded(@BreakerKey String tenant) {}
    }

    @ApplicationScoped
    static class Keyless {
        @DistributedFallback(breaker = "keyless")
        void search(String tenant) {}

        @Probe("keyless")
        void ask(String tenant) {}
    }

    @ApplicationScoped
    static class LikeAKey {
        @DistributedFallback(breaker = "rawg[acme]")
        void search() {}
    }

    @Test
    void all_that_is_wrong_with_keys_is_in_one_message() {
        settings.put("distributed-fallback.breaker.rawg[zenith].failure-threshold", "9");
        assertThatThrownBy(() -> startAll(TwoKeys.class, Keyless.class, LikeAKey.class))
                .hasMessageContaining("found 6 problems")
                .hasMessageContaining("DFB118: the breaker's key is not one parameter: " + TwoKeys.class.getName()
                        + ".search [@BreakerKey on 2 parameters]. ")
                .hasMessageContaining("DFB118: the breaker's key is not one parameter: " + TwoKeys.class.getName()
                        + ".list [@BreakerKey on an array]. ")
                .hasMessageContaining("DFB119: a breaker's key on a method that is not guarded: "
                        + TwoKeys.class.getName() + ".unguarded [@BreakerKey]. ")
                .hasMessageContaining("DFB120: the probe takes a key, and the breaker has none: "
                        + Keyless.class.getName() + ".ask [@Probe(\"keyless\")]. ")
                .hasMessageContaining("[rawg[acme]]. It ends in ]")
                .hasMessageContaining("[rawg[zenith]]. It ends in ]");
    }

    @ApplicationScoped
    static class LongName {
        static final String NAME = "a breaker with a name that is long, as that of a class in a package with its method"
                + " would be: com.example.catalogue.games";

        @DistributedFallback(breaker = NAME)
        void search(@BreakerKey String tenant) {}
    }

    @Test
    void a_name_that_with_the_prefix_leaves_no_room_for_keys_is_refused() {
        settings.put("distributed-fallback.prefix", "the shop in the north:");
        assertThatThrownBy(() -> startAll(LongName.class))
                .hasMessageContaining("found 1 problem ")
                .hasMessageContaining("DFB110")
                .hasMessageContaining("With the prefix \"the shop in the north:\" it has 143 characters, and with keys"
                        + " 134 is the most");
    }

    @ApplicationScoped
    @BreakerPolicy(breaker = "in code")
    static class InCode {
        @Probe("in code")
        void ask(String tenant) {}
    }

    @Test
    void a_breaker_that_only_code_asks_for_may_have_a_probe_that_takes_its_key() {
        startAll(InCode.class);
        assertThat(container.select(Breakers.class).get().get("in code", "acme").name())
                .isEqualTo("in code[acme]");
    }
}
