package io.distributedfallback.observe;

import io.distributedfallback.Health;
import io.distributedfallback.core.BreakerListener;
import io.distributedfallback.core.Instruments;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponse.Status;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.spi.HealthCheckResponseProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An open breaker with a fallback is the system working: the orchestrator must not restart the fleet for it. */
class BreakerHealthTest {

    private final SeenBreakers seen = new SeenBreakers(new BreakerListener() {}, Instruments.NONE);
    private final BreakerHealth health = new BreakerHealth(seen.breakers::readings);

    @BeforeAll
    static void answerAsAServerDoes() {
        HealthCheckResponse.setResponseProvider(new Provider());
    }

    @AfterAll
    static void forget() {
        HealthCheckResponse.setResponseProvider(null);
    }

    @Test
    void one_open_breaker_of_twenty_leaves_the_instance_ready_and_is_listed() throws Exception { // E4
        for (int i = 0; i < 19; i++) {
            seen.breakers.get("provider-" + i);
        }
        seen.open(seen.rawg());
        HealthCheckResponse response = health.call();
        assertThat(response.getName()).isEqualTo("distributed-fallback");
        assertThat(response.getStatus()).isEqualTo(Status.UP);
        assertThat(response.getData().orElseThrow())
                .containsEntry("breakers", 20L)
                .containsEntry("notClosed", 1L)
                .containsEntry("breaker.rawg", "open")
                .containsEntry("breaker.provider-7", "closed")
                .hasSize(22);
    }

    @Test
    void a_breaker_that_ramps_up_is_listed_as_such_and_leaves_the_readiness_alone() throws Exception {
        seen.policy = seen.policy.toBuilder()
                .health(Health.DOWN_WHEN_OPEN)
                .rampUp(Duration.ofSeconds(100))
                .build();
        seen.open(seen.rawg());
        seen.pass(Duration.ofSeconds(15));
        SeenBreakers.succeed(seen.rawg());
        HealthCheckResponse response = health.call();
        assertThat(response.getStatus()).isEqualTo(Status.UP);
        assertThat(response.getData().orElseThrow()).containsEntry("breaker.rawg", "rampingUp");
    }

    @Test
    void a_breaker_that_is_meant_to_takes_the_readiness_with_it_until_it_closes() throws Exception {
        seen.policy = seen.policy.toBuilder().health(Health.DOWN_WHEN_OPEN).build();
        assertThat(health.call().getStatus()).isEqualTo(Status.UP);
        seen.open(seen.rawg());
        assertThat(health.call().getStatus()).isEqualTo(Status.DOWN);
    }

    @Test
    void an_instance_that_is_not_ready_and_gets_no_calls_probes_all_the_same() throws Exception {
        seen.policy = seen.policy.toBuilder().health(Health.DOWN_WHEN_OPEN).build();
        seen.open(seen.rawg());
        seen.pass(Duration.ofSeconds(15));
        assertThat(health.call().getStatus()).isEqualTo(Status.DOWN);
        assertThat(seen.probes).isEqualTo(1);
        assertThat(health.call().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void asking_takes_no_lease_for_a_trial_that_nobody_would_make() throws Exception {
        seen.policy = seen.policy.toBuilder()
                .recovery(io.distributedfallback.Recovery.TRIAL)
                .health(Health.DOWN_WHEN_OPEN)
                .build();
        seen.open(seen.rawg());
        seen.pass(Duration.ofSeconds(15));
        assertThat(health.call().getStatus()).isEqualTo(Status.DOWN);
        assertThat(seen.rawg().status().recovery().leaseLeft()).isZero();
    }

    @Test
    void asking_wakes_no_probe_where_the_readiness_does_not_follow() throws Exception {
        seen.open(seen.rawg());
        seen.pass(Duration.ofSeconds(15));
        assertThat(health.call().getStatus()).isEqualTo(Status.UP);
        assertThat(seen.probes).isZero();
    }

    @Test
    void keys_are_not_listed_and_an_open_one_does_not_take_the_instance_down() throws Exception {
        seen.policy = seen.policy.toBuilder().health(Health.DOWN_WHEN_OPEN).build();
        seen.open(seen.breakers.get("rawg", "tenant-1"));
        HealthCheckResponse response = health.call();
        assertThat(response.getStatus()).isEqualTo(Status.UP);
        assertThat(response.getData().orElseThrow().keySet())
                .containsExactlyInAnyOrder("breakers", "notClosed", "breaker.rawg");
    }

    @Test
    void of_many_breakers_only_those_are_listed_that_are_not_closed() throws Exception {
        for (int i = 0; i < 150; i++) {
            seen.breakers.get("provider-" + i);
        }
        seen.open(seen.breakers.get("provider-7"));
        assertThat(health.call().getData().orElseThrow())
                .containsOnlyKeys("breakers", "notClosed", "breaker.provider-7")
                .containsEntry("breakers", 150L);
        for (int i = 0; i < 150; i++) {
            seen.open(seen.breakers.get("provider-" + i));
        }
        assertThat(health.call().getData().orElseThrow())
                .hasSize(BreakerHealth.MOST_LISTED + 2)
                .containsEntry("notClosed", 150L);
    }

    /** Makes responses, which is the server's part. */
    private static final class Provider implements HealthCheckResponseProvider {

        @Override
        public HealthCheckResponseBuilder createResponseBuilder() {
            return new Builder();
        }
    }

    private static final class Builder extends HealthCheckResponseBuilder {

        private final Map<String, Object> data = new TreeMap<>();
        private String name;
        private boolean up;

        @Override
        public HealthCheckResponseBuilder name(String named) {
            name = named;
            return this;
        }

        @Override
        public HealthCheckResponseBuilder withData(String key, String value) {
            data.put(key, value);
            return this;
        }

        @Override
        public HealthCheckResponseBuilder withData(String key, long value) {
            data.put(key, value);
            return this;
        }

        @Override
        public HealthCheckResponseBuilder withData(String key, boolean value) {
            data.put(key, value);
            return this;
        }

        @Override
        public HealthCheckResponseBuilder up() {
            return status(true);
        }

        @Override
        public HealthCheckResponseBuilder down() {
            return status(false);
        }

        @Override
        public HealthCheckResponseBuilder status(boolean isUp) {
            up = isUp;
            return this;
        }

        @Override
        public HealthCheckResponse build() {
            return new HealthCheckResponse(name, up ? Status.UP : Status.DOWN, Optional.of(data));
        }
    }
}
