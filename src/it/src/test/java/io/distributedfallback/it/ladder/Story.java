package io.distributedfallback.it.ladder;

import io.distributedfallback.it.harness.Eventually;
import io.distributedfallback.it.harness.Postgres;
import io.distributedfallback.it.harness.Redis;
import io.distributedfallback.it.ladder.app.Cache;
import io.distributedfallback.it.ladder.app.Call;
import io.distributedfallback.it.ladder.app.Products;
import io.distributedfallback.it.ladder.app.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;

/** Lets it happen, and tells what was seen. The visitors are there all the time. */
final class Story {

    static final String DATABASE = "postgres";

    /** Calls a second, of all instances. */
    static final int LOAD = 2_000;

    static final int INSTANCES = 2;

    private static final int PRODUCTS = 2_200;
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration RAMP_UP = Duration.ofSeconds(6);
    private static final String TRANSITIONS = "SELECT count(*) FROM distributed_breaker_transition WHERE to_state = ?";
    private static final String LAST_CLOSED =
            "SELECT (extract(epoch FROM max(made_at)) * 1000000)::bigint FROM distributed_breaker_transition"
                    + " WHERE to_state = 'CLOSED'";

    private final Postgres postgres;
    private final Redis redis;
    private final List<Phase> phases = new ArrayList<>();
    private final List<RunningInstance> instances = new ArrayList<>();
    private long beganMicros;

    Story(Postgres postgres, Redis redis) {
        this.postgres = postgres;
        this.redis = redis;
    }

    /** What there is to see from one moment to another. */
    record Phase(String name, long fromMicros, long toMicros) {

        double seconds() {
            return (toMicros - fromMicros) / 1e6;
        }

        boolean has(Call call) {
            return call.atMicros() >= fromMicros && call.atMicros() < toMicros;
        }
    }

    Chronicle tell() {
        try {
            prepare();
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(RunningInstance.start(i, LOAD / INSTANCES, redis.port(), postgres.port()));
            }
            instances.forEach(RunningInstance::awaitReady);
            instances.forEach(RunningInstance::letVisitorsCome);
            happen();
            List<Call> calls = new ArrayList<>();
            instances.forEach(instance -> calls.addAll(instance.end()));
            return new Chronicle(calls, phases);
        } finally {
            instances.forEach(RunningInstance::close);
        }
    }

    private void happen() {
        pass(WARM_UP);
        begin();
        pass(Duration.ofSeconds(3));
        end("healthy");

        redis.kill();
        pass(Duration.ofSeconds(5));
        end("Redis is dead, last good results are young");
        pass(Duration.ofSeconds(5));
        end("Redis is dead, last good results are too old");

        recover(redis::start, 0, "Redis is back and empty, and is probed", "the ramp-up");
        pass(Duration.ofSeconds(3));
        end("after the ramp-up");

        redis.freeze();
        pass(Duration.ofSeconds(4));
        end("Redis hangs");
        recover(redis::thaw, 1, "Redis goes on, and is probed", "the second ramp-up");
        pass(Duration.ofSeconds(1));
        end("after the second ramp-up");
    }

    private void recover(Runnable comeBack, int closedBefore, String probed, String ramp) {
        comeBack.run();
        Eventually.until("the breaker closes", PATIENCE, () -> transitionsTo("CLOSED") > closedBefore);
        long closed = postgres.ask(DATABASE, Long.class, LAST_CLOSED);
        endAt(probed, closed);
        pass(RAMP_UP.minus(Duration.ofNanos((Time.micros() - closed) * 1_000)));
        end(ramp);
    }

    private long transitionsTo(String state) {
        return postgres.ask(DATABASE, Long.class, TRANSITIONS, state);
    }

    private void begin() {
        beganMicros = Time.micros();
    }

    private void end(String name) {
        endAt(name, Time.micros());
    }

    private void endAt(String name, long micros) {
        phases.add(new Phase(name, beganMicros, micros));
        beganMicros = micros;
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void prepare() {
        postgres.execute(
                DATABASE,
                "CREATE TABLE product (id integer PRIMARY KEY, text text NOT NULL)",
                "INSERT INTO product SELECT id, 'product ' || id FROM generate_series(0, " + (PRODUCTS - 1) + ") id",
                "ANALYZE product");
        // By another session: each tells what it did at its end.
        postgres.execute(DATABASE, "SELECT pg_stat_reset()");
        try (Jedis connection = new Jedis("127.0.0.1", redis.port());
                Pipeline all = connection.pipelined()) {
            for (int id = 0; id < PRODUCTS; id++) {
                all.set(Cache.key(id), "product " + id);
            }
        }
    }

    /** How often the database itself says that the products were looked at. */
    long scans() {
        return postgres.ask(
                DATABASE,
                Long.class,
                "SELECT coalesce(seq_scan, 0) + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'product'");
    }

    /** Those of the breaker, oldest first. */
    String transitions() {
        return postgres.ask(
                DATABASE,
                String.class,
                "SELECT string_agg(to_state || ' ' || cause, ', ' ORDER BY id) FROM distributed_breaker_transition"
                        + " WHERE breaker = '" + Products.BREAKER + "'");
    }
}
