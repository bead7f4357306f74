package io.distributedfallback.store;

/** The statements of those who look after stored calls. */
final class DeskSql {

    /** 1 prefix. */
    static final String COUNTS = """
            SELECT c.breaker, c.method, count(*) FILTER (WHERE c.state = 'PENDING') AS pending,
                   count(*) FILTER (WHERE c.state = 'DEAD') AS dead,
                   CAST(extract(epoch FROM min(c.stored_at) FILTER (WHERE c.state = 'PENDING')) * 1000 AS bigint) AS oldest
              FROM distributed_queued_call AS c WHERE starts_with(c.breaker, ?)
             GROUP BY c.breaker, c.method ORDER BY c.breaker, c.method
            """;

    /** 1 prefix, 2 and 3 breaker or NULL, 4 and 5 state or NULL, 6 and 7 id or NULL, 8 most. */
    static final String LIST = """
            SELECT c.id, c.breaker, c.method, c.order_key, c.state, c.attempts, c.stored_by, c.last_error,
                   COALESCE(c.lease_until > clock_timestamp(), FALSE) AS leased, octet_length(c.arguments) AS bytes,
                   CAST(extract(epoch FROM COALESCE(c.retried_at, c.stored_at)) * 1000 AS bigint) AS stored,
                   CAST(extract(epoch FROM c.next_attempt_at) * 1000 AS bigint) AS due
              FROM distributed_queued_call AS c
             WHERE starts_with(c.breaker, ?)
               AND (CAST(? AS text) IS NULL OR c.breaker = ?)
               AND (CAST(? AS text) IS NULL OR c.state = ?)
               AND (CAST(? AS bigint) IS NULL OR c.id < ?)
             ORDER BY c.id DESC LIMIT ?
            """;

    /** 1 breaker, 2 method, 3 and 4 id or NULL, 5 breaker, 6 method, 7 action, 8 who, 9 why, 10 instance. */
    static final String RETRY = """
            WITH met AS
              (UPDATE distributed_queued_call
                  SET state = 'PENDING', attempts = 0, dead_at = NULL, lease_until = NULL, lease_token = NULL,
                      next_attempt_at = clock_timestamp(), retried_at = clock_timestamp()
                WHERE breaker = ? AND method = ? AND state = 'DEAD' AND (CAST(? AS bigint) IS NULL OR id = ?)
               RETURNING id),
            """ + entered();

    /** The same parameters. One that somebody is making is left alone. */
    static final String DISCARD = """
            WITH met AS
              (DELETE FROM distributed_queued_call
                WHERE breaker = ? AND method = ? AND (lease_until IS NULL OR lease_until <= clock_timestamp())
                  AND (CAST(? AS bigint) IS NULL OR id = ?)
               RETURNING id),
            """ + entered();

    private DeskSql() {}

    private static String entered() {
        return """
            entered AS
              (INSERT INTO distributed_queue_command (breaker, method, action, calls, commanded_by, reason, instance)
               SELECT ?, ?, ?, array_agg(met.id ORDER BY met.id), ?, ?, ? FROM met HAVING count(*) > 0)
            SELECT count(*) FROM met
            """;
    }
}
