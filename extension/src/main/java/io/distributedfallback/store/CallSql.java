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
     * 1 breaker, 2 method, 3 milliseconds that may be made up for, 4 breaker, 5 method, 6 rate, 7 lease in milliseconds,
     * 8 token, 9 rate, 10 breaker, 11 method. The most calls stand in the text: with a number that it knows the planner walks along the index.
     *
     * <ol>
     *   <li>The row of the queue is locked, so that the rate is one; whoever finds it locked takes nothing now.
     *   <li>The calls given out are as far apart as the rate says, on the average: time that passed since the last one is
     *       time for more, but not more than a little of it.
     *   <li>A call with a key is the first one pending of that key. Another statement can only make more calls the first,
     *       by deleting those before; an older view of the table gives out fewer, never one too early.
     * </ol>
     */
    private static final String TAKE = """
            WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
            queue AS MATERIALIZED
              (SELECT q.paced_until FROM distributed_call_queue AS q
                WHERE q.breaker = ? AND q.method = ? FOR UPDATE SKIP LOCKED),
            pace AS MATERIALIZED
              (SELECT moment.now,
                      GREATEST(q.paced_until, moment.now - ? * INTERVAL '1 millisecond') AS begun
                 FROM queue AS q CROSS JOIN moment),
            due AS MATERIALIZED
              (SELECT c.id FROM distributed_queued_call AS c
                WHERE c.breaker = ? AND c.method = ? AND c.status = 'PENDING'
                  AND c.next_attempt_at <= (SELECT pace.now FROM pace)
                  AND (c.lease_until IS NULL OR c.lease_until <= (SELECT pace.now FROM pace))
                  AND (c.order_key IS NULL OR NOT EXISTS
                       (SELECT FROM distributed_queued_call AS e
                         WHERE e.breaker = c.breaker AND e.method = c.method AND e.order_key = c.order_key
                           AND e.status = 'PENDING' AND e.id < c.id))
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
     * 1 breaker, 2 method, 3 rate. A call that another one of its key holds back is not due. Looks at the oldest thousand,
     * which is enough to know whether to look again soon. No line if there is none.
     */
    static final String UNTIL_NEXT = """
            WITH moment AS MATERIALIZED (SELECT clock_timestamp() AS now),
            oldest AS
              (SELECT c.breaker, c.method, c.id, c.order_key, GREATEST(c.next_attempt_at, c.lease_until) AS due
                 FROM distributed_queued_call AS c
                WHERE c.breaker = ? AND c.method = ? AND c.status = 'PENDING' ORDER BY c.id LIMIT 1000),
            pending AS
              (SELECT o.*, row_number() OVER (PARTITION BY o.order_key ORDER BY o.id) AS place FROM oldest AS o)
            SELECT CAST(ceil(extract(epoch FROM GREATEST(min(p.due), moment.now,
                        max(q.paced_until) + INTERVAL '1 second' / ?) - moment.now) * 1000) AS bigint)
              FROM moment CROSS JOIN pending AS p LEFT JOIN distributed_call_queue AS q USING (breaker, method)
             WHERE p.order_key IS NULL OR p.place = 1
             GROUP BY moment.now
            """;

    /** 1 lease in milliseconds, 2 ids as an array in text, 3 token. */
    static final String RENEW = "UPDATE distributed_queued_call"
            + " SET lease_until = clock_timestamp() + ? * INTERVAL '1 millisecond'"
            + " WHERE id = ANY (CAST(? AS bigint[])) AND lease_token = ?";

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
            + " status = 'DEAD', dead_at = clock_timestamp(), last_error = ? WHERE id = ? AND lease_token = ?";

    private CallSql() {}

    /** Takes so many calls at most. */
    static String take(int most) {
        return TAKE.formatted(most);
    }
}
