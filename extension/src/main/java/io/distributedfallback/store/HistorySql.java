package io.distributedfallback.store;

/**
 * The statements of commands and of the history. What a command does is said in the database, in the function {@code
 * distributed_breaker_command}, so that a hand at a terminal and an instance do the same.
 */
final class HistorySql {

    static final String COMMAND = "distributed_breaker_command(CAST(?1 AS text), CAST(?2 AS text),"
            + " CAST(?3 AS text), CAST(?4 AS text), NULLIF(CAST(?5 AS bigint), 0) * INTERVAL '1 microsecond',"
            + " CAST(?6 AS text))";

    /** Runs nothing. */
    static final String VALIDATE_COMMAND = "SELECT c.version FROM distributed_breaker_command("
            + "CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text), CAST(NULL AS text),"
            + " CAST(NULL AS interval), CAST(NULL AS text)) AS c WHERE FALSE";

    private HistorySql() {}
}
