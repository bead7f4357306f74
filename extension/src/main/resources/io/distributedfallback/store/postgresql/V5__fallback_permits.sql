-- Distributed Fallback, schema version 5: the permits of limits of fallbacks that hold for all instances. PostgreSQL 14 or
-- later.
--
-- Run it once, after the versions before it and before instances that have such a limit start, as the owner of the tables;
-- or let distributed-fallback.schema=create do it. It can be run again. Instances of an older version go on working. Only
-- @FallbackLimit with scope = CLUSTER uses the table: without it none of the other tables is missed.
-- The application's role needs
--   GRANT SELECT, INSERT, UPDATE ON distributed_fallback_permit TO the_role

-- A row is a bucket. It comes into being with the first call that goes to the fallback, and is written only while calls do.
-- No index beyond the key, and room in the page: a busy row is updated within its page.
CREATE TABLE IF NOT EXISTS distributed_fallback_permit (
    name               text             COLLATE "C" PRIMARY KEY CHECK (name <> ''),
    permits_per_second integer          NOT NULL CHECK (permits_per_second > 0),
    burst              integer          NOT NULL CHECK (burst > 0),
    tokens             double precision NOT NULL CHECK (tokens >= 0),
    last_block         integer          NOT NULL CHECK (last_block >= 0),
    refilled_at        timestamptz      NOT NULL CHECK (isfinite(refilled_at)),
    paused_until       timestamptz      CHECK (isfinite(paused_until))
) WITH (fillfactor = 50);

COMMENT ON TABLE distributed_fallback_permit IS
    'one row for each limit of a fallback that holds for all instances: how many calls may begin';
COMMENT ON COLUMN distributed_fallback_permit.name IS
    'the name of the limit, with the prefix of the application';
COMMENT ON COLUMN distributed_fallback_permit.permits_per_second IS
    'for people: the settings of the instance that took the last block';
COMMENT ON COLUMN distributed_fallback_permit.tokens IS
    'permits that were left at refilled_at';
COMMENT ON COLUMN distributed_fallback_permit.last_block IS
    'how many permits the last instance took that asked';
COMMENT ON COLUMN distributed_fallback_permit.paused_until IS
    'until when no instance calls the fallback, because it is in trouble itself';
