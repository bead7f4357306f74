-- Distributed Fallback, schema version 6: calls that wait for a provider (@QueueWhenOpen). PostgreSQL 14 or later.
--
-- Run it once, after the files with lower numbers and before instances of a version that needs it start, as the owner of
-- the tables; or let distributed-fallback.schema=create do it. It can be run again. Instances of older versions go on
-- working. It touches no table that was there before.
-- The application's role needs, if methods of it have @QueueWhenOpen:
--   GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_queued_call TO the_role
--   GRANT SELECT, INSERT, UPDATE ON distributed_call_queue TO the_role
--   GRANT INSERT ON distributed_queue_command TO the_role

CREATE TABLE IF NOT EXISTS distributed_call_queue (
    breaker     text        NOT NULL,
    method      text        NOT NULL,
    paced_until timestamptz NOT NULL DEFAULT 'epoch',
    PRIMARY KEY (breaker, method)
) WITH (fillfactor = 50);

COMMENT ON TABLE distributed_call_queue IS
    'how far the calls of a queue have been given out, one row for each queue that ever had one: it bounds their rate';

CREATE TABLE IF NOT EXISTS distributed_queued_call (
    id              bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    breaker         text        NOT NULL,
    method          text        NOT NULL,
    order_key       text,
    arguments       text        NOT NULL,
    state           text        NOT NULL DEFAULT 'PENDING' CHECK (state IN ('PENDING', 'DEAD')),
    attempts        integer     NOT NULL DEFAULT 0,
    stored_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    stored_by       text        NOT NULL,
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_until     timestamptz,
    lease_token     bigint,
    last_error      text,
    dead_at         timestamptz,
    retried_at      timestamptz
) WITH (fillfactor = 70);

COMMENT ON TABLE distributed_queued_call IS
    'calls that could not be made: each is deleted when it has been made, and stays as DEAD if it cannot be';
COMMENT ON COLUMN distributed_queued_call.order_key IS
    'calls of a queue with the same key are made in the order of their ids: NULL promises no order';
COMMENT ON COLUMN distributed_queued_call.arguments IS
    'a JSON array with one element for each parameter';

-- For the oldest that can be made, and for the calls of a key before one.
CREATE INDEX IF NOT EXISTS distributed_queued_call_pending
    ON distributed_queued_call (breaker, method, id) WHERE state = 'PENDING';
CREATE INDEX IF NOT EXISTS distributed_queued_call_order
    ON distributed_queued_call (breaker, method, order_key, id) WHERE state = 'PENDING' AND order_key IS NOT NULL;
-- For those that are being made, which are few.
CREATE INDEX IF NOT EXISTS distributed_queued_call_leased
    ON distributed_queued_call (breaker, method) WHERE lease_until IS NOT NULL;
-- For what an operator looks at.
CREATE INDEX IF NOT EXISTS distributed_queued_call_dead
    ON distributed_queued_call (breaker, id) WHERE state = 'DEAD';

-- The last one: where it is there, all of this file is.
CREATE TABLE IF NOT EXISTS distributed_queue_command (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    breaker      text        NOT NULL,
    method       text        NOT NULL,
    action       text        NOT NULL CHECK (action IN ('RETRY', 'DISCARD')),
    calls        bigint[]    NOT NULL,
    commanded_by text        NOT NULL,
    reason       text        NOT NULL,
    instance     text        NOT NULL,
    made_at      timestamptz NOT NULL DEFAULT clock_timestamp()
);

COMMENT ON TABLE distributed_queue_command IS
    'what operators did with dead calls, one row for each command and queue, written by the statement that did it';
