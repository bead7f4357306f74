package io.distributedfallback.it.ladder.app;

import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.function.Function;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;

/** The way to Redis, with short time-outs. */
@ApplicationScoped
public class Cache {

    /** For a connection and for an answer. */
    public static final int TIMEOUT_MILLIS = 500;

    private static final JedisClientConfig TIMEOUTS = DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis(TIMEOUT_MILLIS)
            .socketTimeoutMillis(TIMEOUT_MILLIS)
            .build();

    private final int port = Integer.getInteger("story.redis");
    private final RedisClient redis = RedisClient.builder()
            .hostAndPort("127.0.0.1", port)
            .clientConfig(TIMEOUTS)
            .poolConfig(oneForEachVisitor())
            .build();

    @Inject
    Witness witness;

    private static ConnectionPoolConfig oneForEachVisitor() {
        ConnectionPoolConfig pool = new ConnectionPoolConfig();
        pool.setMaxTotal(Visitors.THREADS);
        pool.setMaxIdle(Visitors.THREADS);
        return pool;
    }

    public Optional<String> get(int id) {
        return ask(client -> Optional.ofNullable(client.get(key(id))));
    }

    public void put(int id, String product) {
        ask(client -> client.set(key(id), product));
    }

    /** On a connection of its own: those of the pool may be broken without knowing it. */
    public void ping() {
        try (Jedis connection = new Jedis("127.0.0.1", port, TIMEOUTS)) {
            connection.ping();
        }
    }

    /** A key of a product, as the test fills the cache with. */
    public static String key(int id) {
        return "product:" + id;
    }

    private <T> T ask(Function<RedisClient, T> question) {
        try {
            return question.apply(redis);
        } catch (JedisConnectionException e) {
            // If one connection is broken, those that lie in the pool are as well, and would fail once Redis is back.
            redis.getPool().clear();
            if (e.getCause() instanceof SocketTimeoutException) {
                witness.timedOut();
            }
            throw e;
        }
    }

    @PreDestroy
    void close() {
        redis.close();
    }
}
