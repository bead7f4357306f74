-- Distributed Fallback, schema version 1. PostgreSQL 14 or later.
--
-- Run it once with psql, Flyway or Liquibase, or let distributed-fallback.schema=create do it. It can be run again.
-- The tables go to the first schema of the search path. The application's role needs
--   GRANT SELECT, INSERT, UPDATE ON distributed_breaker TO the_role
--   GRANT SELECT, INSERT ON distributed_breaker_transition TO the_role

-- One row for each breaker that has ever failed. Half of each page is left free and nothing but the key is indexed,
-- so that nearly every update is a HOT update and a busy row does not bloat the table.
-- The key compares bytes, COLLATE "C", so that names are exact and no upgrade of the C library can spoil the index.
CREATE TABLE IF NOT EXISTS distributed_breaker (
    name                        text COLLATE "C" PRIMARY KEY,
    version                     bigint      NOT NULL,
    state                       text        NOT NULL DEFAULT 'CLOSED' CHECK (state IN ('CLOSED', 'OPEN')),
    consecutive_failures        integer     NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    failure_threshold           integer     CHECK (failure_threshold > 0),
    failing_instances           text[]      NOT NULL DEFAULT '{}',
    window_started_at           timestamptz CHECK (isfinite(window_started_at)),
    window_calls                integer     NOT NULL DEFAULT 0,
    window_failures             integer     NOT NULL DEFAULT 0,
    consecutive_probe_successes integer     NOT NULL DEFAULT 0 CHECK (consecutive_probe_successes >= 0),
    opened_at                   timestamptz CHECK (isfinite(opened_at)),
    closed_at                   timestamptz CHECK (isfinite(closed_at)),
    cooldown_until              timestamptz CHECK (isfinite(cooldown_until)),
    next_probe_at               timestamptz CHECK (isfinite(next_probe_at)),
    probe_lease_until           timestamptz CHECK (isfinite(probe_lease_until)),
    probe_token                 bigint      NOT NULL DEFAULT 0,
    override_mode               text        CHECK (override_mode IN ('FORCED_OPEN', 'FORCED_CLOSED')),
    override_reason             text,
    override_by                 text,
    override_until              timestamptz CHECK (isfinite(override_until)),
    last_failure_at             timestamptz CHECK (isfinite(last_failure_at)),
    last_failure_kind           text,
    last_failure_text           text,
    last_failure_instance       text,
    transition_version          bigint,
    updated_at                  timestamptz NOT NULL CHECK (isfinite(updated_at))
) WITH (fillfactor = 50);

COMMENT ON COLUMN distributed_breaker.version IS
    'grows with every change: the microsecond of the change, or one more than before, whichever is greater';
COMMENT ON COLUMN distributed_breaker.failure_threshold IS
    'the failure-threshold of the instance that counted last: NULL if no failures are counted';
COMMENT ON COLUMN distributed_breaker.transition_version IS
    'the version that the last change of state wrote: equal to version if the last write made it';
COMMENT ON COLUMN distributed_breaker.probe_token IS
    'the version that the last lease wrote: a verdict with another token does not count';
COMMENT ON COLUMN distributed_breaker.override_until IS
    'end of the override: NULL if it holds until it is cleared';

-- One row for each change of state, written by the statement that made the change.
CREATE TABLE IF NOT EXISTS distributed_breaker_transition (
    id                bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    breaker           text COLLATE "C" NOT NULL,
    version           bigint      NOT NULL,
    from_state        text        NOT NULL,
    to_state          text        NOT NULL,
    cause             text        NOT NULL,
    instance          text        NOT NULL,
    made_at           timestamptz NOT NULL,
    evidence_count    integer     NOT NULL,
    last_failure_kind text,
    last_failure_text text
);

COMMENT ON COLUMN distributed_breaker_transition.evidence_count IS
    'failures in a row that opened, or probes in a row that closed';
