package io.distributedfallback.store;

/**
 * The statements of stored calls. As with those of breakers, times are the database's; unlike with them, parameters are
 * numbered by their order alone, for no provider stands between these and the driver.
 */
final class CallSql {

    /** 1 breaker, 2 method, 3 key, 4 arguments, 5 instance, 6 milliseconds of delay. */
    static final String STORE = """
            INSERT INTO distributed_queued_call (breaker, method, order_key, arguments, stored_by, next_attempt_at)
            VALUES (?, ?, ?, ?, ?, clock_timestamp() + ? * INTERVAL '1 millisecond')
            """;

    /** 1 breaker, 2 method. */
    static final String ADD_QUEUE =
            "INSERT INTO distributed_call_queue (breaker, method) VALUES (?, ?) ON CONFLICT (breaker, method) DO NOTHING";

    /**
     * 1 breaker, 2 method, 3 milliseconds that may be made up for, 4 breaker, 5 method, 6 breaker, 7 method, 8 rate,
     * 9 lease in milliseconds, 10 token, 11 rate, 12 breaker, 13 method. The most calls stand in the text: with a number that it knows the planner walks along the index.
     *
     * <ol>
     *   <li>The row of the queue is locked, so that the rate is one; whoever finds it locked takes nothing now. Nor does
     *       whoever finds it changed since the statement began: then calls are leased that the statement does not see.
     *   <li>The calls given out are as far apart as the rate says, on the average: time that passed since the last one is
     *       time for more, but not more than a little of it. A time that has yet to come is of a clock that was set back.
     *   <li>A call with a key is the first one pending of that key, and no other of that key is being made: one that was
     *       retried, or whose transaction took longer than a later one's, comes before a call that is under way.
     * </ol>
     */
    private static final String TAKE = """
            WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
            queue AS MATERIALIZED
              (SELECT q.paced_until FROM distributed_call_queue AS q
                WHERE q.breaker = ? AND q.method = ?
                  AND q.paced_until = (SELECT s.paced_until FROM distributed_call_queue AS s
                                        WHERE s.breaker = q.breaker AND s.method = q.method)
                FOR UPDATE SKIP LOCKED),
            pace AS MATERIALIZED
              (SELECT moment.now,
                      GREATEST(CASE WHEN q.paced_until <= moment.now + INTERVAL '1 second' THEN q.paced_until END,
                               moment.now - ? * INTERVAL '1 millisecond') AS begun
                 FROM queue AS q CROSS JOIN moment),
            making AS MATERIALIZED
              (SELECT c.order_key FROM distributed_queued_call AS c
                WHERE c.breaker = ? AND c.method = ? AND c.lease_until IS NOT NULL
                  AND c.lease_until > (SELECT pace.now FROM pace) AND c.order_key IS NOT NULL),
            due AS MATERIALIZED
              (SELECT c.id FROM distributed_queued_call AS c
                WHERE c.breaker = ? AND c.method = ? AND c.state = 'PENDING'
                  AND c.next_attempt_at <= (SELECT pace.now FROM pace)
                  AND (c.lease_until IS NULL OR c.lease_until <= (SELECT pace.now FROM pace))
                  AND (c.order_key IS NULL OR c.order_key NOT IN (SELECT making.order_key FROM making))
                  AND (c.order_key IS NULL OR NOT EXISTS
                       (SELECT FROM distributed_queued_call AS e
                         WHERE e.breaker = c.breaker AND e.method = c.method AND e.order_key = c.order_key
                           AND e.state = 'PENDING' AND e.id < c.id))
                ORDER BY c.id LIMIT %d FOR UPDATE OF c SKIP LOCKED),
            given AS MATERIALIZED
              (SELECT due.id FROM due ORDER BY due.id
                LIMIT (SELECT GREATEST(0, floor(extract(epoch FROM pace.now - pace.begun) * ?)) FROM pace)),
            taken AS
              (UPDATE distributed_queued_call AS c
                  SET lease_until = pace.now + ? * INTERVAL '1 millisecond', lease_token = ?, attempts = c.attempts + 1
                 FROM given, pace WHERE c.id = given.id
               RETURNING c.id, c.arguments, c.attempts, COALESCE(c.retried_at, c.stored_at) AS since),
            paced AS
              (UPDATE distributed_call_queue AS q
                  SET paced_until = pace.begun + (SELECT count(*) FROM taken) * INTERVAL '1 second' / ?
                 FROM pace WHERE q.breaker = ? AND q.method = ? AND EXISTS (SELECT FROM taken))
            SELECT t.id, t.arguments, t.attempts,
                   CAST(extract(epoch FROM moment.now - t.since) * 1000 AS bigint) AS age
              FROM taken AS t CROSS JOIN moment ORDER BY t.id
            """;

    /**
     * 1 breaker, 2 method, 3 rate. Looks at the oldest thousand, which is enough to know whether to look again soon: of each key at the
     * first, and if there may be more of other keys behind them, at all. One row,
     * NULL if there is none.
     */
    static final String UNTIL_NEXT = """
            WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
            pending AS
              (SELECT c.id, c.breaker, c.method, c.order_key, c.next_attempt_at, c.lease_until
                 FROM distributed_queued_call AS c
                WHERE c.breaker = ? AND c.method = ? AND c.state = 'PENDING' ORDER BY c.id LIMIT 1000),
            placed AS
              (SELECT p.breaker, p.method,
                      GREATEST(p.next_attempt_at, CASE WHEN p.order_key IS NULL THEN p.lease_until
                               ELSE max(p.lease_until) OVER (PARTITION BY p.order_key) END) AS due,
                      p.order_key IS NULL OR row_number() OVER (PARTITION BY p.order_key ORDER BY p.id) = 1
                        OR count(*) OVER () = 1000 AS is_first
                 FROM pending AS p)
            SELECT CAST(ceil(extract(epoch FROM GREATEST(min(p.due) FILTER (WHERE p.is_first), moment.now,
                        max(CASE WHEN q.paced_until <= moment.now + INTERVAL '1 second' THEN q.paced_until END)
                          + INTERVAL '1 second' / ?) - moment.now) * 1000) AS bigint)
              FROM moment CROSS JOIN placed AS p LEFT JOIN distributed_call_queue AS q USING (breaker, method)
             GROUP BY moment.now
            """;

    /** 1 lease in milliseconds, 2 ids as an array in text, 3 token. */
    static final String RENEW = "UPDATE distributed_queued_call"
            + " SET lease_until = clock_timestamp() + ? * INTERVAL '1 millisecond'"
            + " WHERE id = ANY (CAST(? AS bigint[])) AND lease_token = ? RETURNING id";

    /** 1 ids as an array in text, 2 token. */
    static final String GIVE_BACK = "UPDATE distributed_queued_call"
            + " SET lease_until = NULL, lease_token = NULL, attempts = GREATEST(0, attempts - 1)"
            + " WHERE id = ANY (CAST(? AS bigint[])) AND lease_token = ?";

    /** 1 id, 2 token. */
    static final String DONE = "DELETE FROM distributed_queued_call WHERE id = ? AND lease_token = ?";

    /** 1 milliseconds of pause, 2 attempts that do not count, 3 error or NULL, 4 id, 5 token. */
    static final String AGAIN = "UPDATE distributed_queued_call SET lease_until = NULL, lease_token = NULL,"
            + " next_attempt_at = clock_timestamp() + ? * INTERVAL '1 millisecond',"
            + " attempts = GREATEST(0, attempts - ?), last_error = COALESCE(CAST(? AS text), last_error)"
            + " WHERE id = ? AND lease_token = ?";

    /** 1 error, 2 id, 3 token. */
    static final String DEAD = "UPDATE distributed_queued_call SET lease_until = NULL, lease_token = NULL,"
            + " state = 'DEAD', dead_at = clock_timestamp(), last_error = ? WHERE id = ? AND lease_token = ?";

    private CallSql() {}

    /** Takes so many calls at most. */
    static String take(int most) {
        return TAKE.formatted(most);
    }
}
