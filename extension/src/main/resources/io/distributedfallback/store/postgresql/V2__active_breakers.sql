-- Distributed Fallback, schema version 2: on top of version 1, whose rows keep their state. PostgreSQL 14 or later.
--
-- Run it once, after V1__distributed_breaker.sql and before instances of a version that needs it start, as the owner of
-- the tables; or let distributed-fallback.schema=create do it. It can be run again. Instances of a version that knows
-- the first file only go on working. It rewrites the table, under a lock, in the time that copying its rows takes.
-- The application's role may delete rows that have long been left alone, if it has
--   GRANT DELETE ON distributed_breaker TO the_role

-- active tells the rows that somebody may have to know of from those that merely were there once. It is a column, and not
-- the condition of the index itself, so that the index depends on nothing that counting changes: one failure more leaves
-- it as it is, and the update stays a HOT update. No deadline can be compared with the time of day here, so a write sets
-- one that has come to NULL.
ALTER TABLE distributed_breaker
    ADD COLUMN IF NOT EXISTS window_until timestamptz CHECK (isfinite(window_until)),
    ADD COLUMN IF NOT EXISTS active boolean NOT NULL GENERATED ALWAYS AS (
        state = 'OPEN'
        OR consecutive_failures > 0
        OR window_until IS NOT NULL
        OR cooldown_until IS NOT NULL
        OR override_mode IS NOT NULL) STORED;

-- What an instance reads costs what the active rows cost, and not what all cost.
CREATE INDEX IF NOT EXISTS distributed_breaker_active ON distributed_breaker (name) WHERE active;

COMMENT ON COLUMN distributed_breaker.window_until IS
    'end of the window of failure-ratio: NULL if none is under way';
COMMENT ON COLUMN distributed_breaker.window_started_at IS
    'for people: when the failure came that began the window';
COMMENT ON COLUMN distributed_breaker.failing_instances IS
    'some of the instances that the failures in a row and those of the window come from, no fewer than the quorum';
COMMENT ON COLUMN distributed_breaker_transition.evidence_count IS
    'failures in a row or in the window that opened, or probes in a row that closed';
