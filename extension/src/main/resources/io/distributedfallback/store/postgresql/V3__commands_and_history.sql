-- Distributed Fallback, schema version 3: on top of version 2, whose rows keep their state and their history.
-- PostgreSQL 14 or later.
--
-- Run it once, after V2__active_breakers.sql and before instances of a version that needs it start, as the owner of the
-- tables; or let distributed-fallback.schema=create do it. It can be run again. Instances of a version that knows the
-- first two files only go on working. It rewrites no table.
-- The application's role may trim the history, if it has
--   GRANT DELETE ON distributed_breaker_transition TO the_role

-- What an opening rests on, kept while it is counted. The newest first, five at most, short enough for a page that is half
-- full: a busy row goes on being updated within its page.
ALTER TABLE distributed_breaker
    ADD COLUMN IF NOT EXISTS recent_failures jsonb NOT NULL DEFAULT '[]',
    ALTER COLUMN recent_failures SET STORAGE MAIN;

COMMENT ON COLUMN distributed_breaker.recent_failures IS
    'the last five failures of those counted, the newest first, or of those that opened it';

-- NULL in all of them: an entry that an instance of an older version made.
ALTER TABLE distributed_breaker_transition
    ADD COLUMN IF NOT EXISTS consecutive_failures integer,
    ADD COLUMN IF NOT EXISTS window_calls         integer,
    ADD COLUMN IF NOT EXISTS window_failures      integer,
    ADD COLUMN IF NOT EXISTS probes_passed        integer,
    ADD COLUMN IF NOT EXISTS failing_instances    text[],
    ADD COLUMN IF NOT EXISTS recent_failures      jsonb,
    ADD COLUMN IF NOT EXISTS policy               text,
    ADD COLUMN IF NOT EXISTS commanded_action     text,
    ADD COLUMN IF NOT EXISTS commanded_by         text,
    ADD COLUMN IF NOT EXISTS reason               text,
    ADD COLUMN IF NOT EXISTS from_override        text,
    ADD COLUMN IF NOT EXISTS to_override          text,
    ADD COLUMN IF NOT EXISTS override_until       timestamptz;

COMMENT ON TABLE distributed_breaker_transition IS
    'one row for each change of state and for each command of an operator, written by the statement that made it';
COMMENT ON COLUMN distributed_breaker_transition.policy IS
    'what was configured on the instance that made the change';
COMMENT ON COLUMN distributed_breaker_transition.commanded_action IS
    'what an operator wanted: NULL if no operator made the entry';
COMMENT ON COLUMN distributed_breaker_transition.from_override IS
    'the override in force before the command: NULL if none was';
COMMENT ON COLUMN distributed_breaker_transition.override_until IS
    'end of to_override: NULL if it holds until it is cleared, or if there is none';

-- For reading what happened to one breaker, the newest first, and for trimming the oldest.
CREATE INDEX IF NOT EXISTS distributed_breaker_transition_of ON distributed_breaker_transition (breaker, id);
CREATE INDEX IF NOT EXISTS distributed_breaker_transition_age ON distributed_breaker_transition (made_at);

-- Wakes instances that listen: on a change of state and on a command, and at no other time, for notifying makes commits
-- wait for each other.
CREATE OR REPLACE FUNCTION distributed_breaker_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('distributed_breaker', NEW.breaker);
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER distributed_breaker_transition_notify
    AFTER INSERT ON distributed_breaker_transition
    FOR EACH ROW EXECUTE FUNCTION distributed_breaker_notify();

-- Carries out a command and enters it in the history, whether it changed anything or not. Instances call this function
-- too, so there is one place for the rule. breaker is the stored name, with the application's prefix. The caller needs
-- the rights of the application's role. Each function remembers the search path that it was made with, which names the
-- schema of the tables.
CREATE OR REPLACE FUNCTION distributed_breaker_command(
    breaker text, action text, who text, why text, expiry interval DEFAULT NULL, instance text DEFAULT 'sql')
RETURNS SETOF distributed_breaker LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    was       distributed_breaker;
    became    distributed_breaker;
    moment    timestamptz;
    stamp     bigint;
    forces    boolean = COALESCE(action IN ('FORCE_OPEN', 'FORCE_CLOSED'), FALSE);
    override  text;
    in_window boolean;
    counted   boolean;
BEGIN
    IF COALESCE(action NOT IN ('FORCE_OPEN', 'FORCE_CLOSED', 'CLEAR_OVERRIDE', 'RESET'), TRUE) THEN
        RAISE EXCEPTION 'action must be FORCE_OPEN, FORCE_CLOSED, CLEAR_OVERRIDE or RESET, but is %', action
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF COALESCE(breaker = '' OR breaker ~ '[\u0001-\u001f\u007f-\u009f]', TRUE) THEN
        RAISE EXCEPTION 'breaker must be the name of one, with the prefix of the application'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF COALESCE(who !~ '\S' OR length(who) > 100 OR who ~ '[\u0001-\u001f\u007f-\u009f]', TRUE)
        OR COALESCE(why !~ '\S' OR length(why) > 500 OR why ~ '[\u0001-\u001f\u007f-\u009f]', TRUE) THEN
        RAISE EXCEPTION 'who needs 1 to 100 characters and why 1 to 500, not all blank, and no control characters'
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    IF expiry IS NOT NULL AND (NOT forces OR expiry < INTERVAL '1 second' OR expiry > INTERVAL '365 days') THEN
        RAISE EXCEPTION 'expiry is for FORCE_OPEN and FORCE_CLOSED alone, 1 second to 365 days, but is %', expiry
            USING ERRCODE = 'invalid_parameter_value';
    END IF;

    -- Every command has a row to hold, so that the entries of one breaker are made one after the other. One that is being
    -- retired at this moment is made again.
    LOOP
        SELECT b.* INTO was FROM distributed_breaker AS b WHERE b.name = breaker FOR NO KEY UPDATE;
        EXIT WHEN FOUND;
        INSERT INTO distributed_breaker (name, version, updated_at) VALUES (breaker, 0, clock_timestamp())
            ON CONFLICT (name) DO NOTHING;
    END LOOP;
    moment = clock_timestamp();
    stamp = GREATEST(was.version + 1, CAST(extract(epoch FROM moment) * 1000000 AS bigint));
    override = CASE WHEN COALESCE(was.override_until > moment, TRUE) THEN was.override_mode END;
    in_window = was.state = 'OPEN' OR COALESCE(
        was.window_until > moment AND COALESCE(was.window_started_at >= was.closed_at, TRUE), FALSE);
    counted = was.consecutive_failures > 0 OR in_window;

    IF forces THEN
        UPDATE distributed_breaker AS b
           SET override_mode = CASE action WHEN 'FORCE_OPEN' THEN 'FORCED_OPEN' ELSE 'FORCED_CLOSED' END,
               override_by = who, override_reason = why, override_until = moment + expiry,
               version = stamp, updated_at = moment
         WHERE b.name = breaker RETURNING b.* INTO became;
    ELSIF action = 'CLEAR_OVERRIDE' THEN
        UPDATE distributed_breaker AS b
           SET override_mode = NULL, override_by = NULL, override_reason = NULL, override_until = NULL,
               version = stamp, updated_at = moment
         WHERE b.name = breaker RETURNING b.* INTO became;
    ELSE
        UPDATE distributed_breaker AS b
           SET state = 'CLOSED', consecutive_failures = 0, failure_threshold = NULL,
               failing_instances = '{}', recent_failures = '[]',
               window_calls = 0, window_failures = 0, window_started_at = NULL, window_until = NULL,
               cooldown_until = NULL, consecutive_probe_successes = 0, next_probe_at = NULL, probe_lease_until = NULL,
               closed_at = CASE WHEN was.state = 'OPEN' THEN moment ELSE was.closed_at END,
               transition_version = CASE WHEN was.state = 'OPEN' THEN stamp ELSE was.transition_version END,
               version = stamp, updated_at = moment
         WHERE b.name = breaker RETURNING b.* INTO became;
    END IF;

    INSERT INTO distributed_breaker_transition
        (breaker, version, from_state, to_state, cause, instance, made_at, evidence_count, last_failure_kind,
         last_failure_text, consecutive_failures, window_calls, window_failures, probes_passed, failing_instances,
         recent_failures, commanded_action, commanded_by, reason, from_override, to_override, override_until)
    VALUES
        (breaker, stamp, was.state, became.state, 'OPERATOR', instance, moment, was.consecutive_failures,
         was.last_failure_kind, was.last_failure_text, was.consecutive_failures,
         CASE WHEN in_window THEN was.window_calls ELSE 0 END, CASE WHEN in_window THEN was.window_failures ELSE 0 END,
         was.consecutive_probe_successes, CASE WHEN counted THEN was.failing_instances ELSE '{}' END,
         CASE WHEN counted THEN was.recent_failures ELSE '[]' END, action, who, why, override,
         CASE WHEN COALESCE(became.override_until > moment, TRUE) THEN became.override_mode END,
         CASE WHEN became.override_until > moment THEN became.override_until END);
    RETURN NEXT became;
END
$$;

-- For the hand that types at night. Each says how the breaker stands after it.
CREATE OR REPLACE FUNCTION distributed_breaker_stands(breaker distributed_breaker) RETURNS text LANGUAGE sql AS $$
    SELECT format('%s is %s, %s', breaker.name, breaker.state,
                  CASE WHEN breaker.override_mode IS NULL OR breaker.override_until <= breaker.updated_at
                       THEN 'not forced'
                       ELSE breaker.override_mode || COALESCE(' until ' || CAST(breaker.override_until AS text),
                                                              ' until it is cleared') END)
$$;

CREATE OR REPLACE FUNCTION distributed_breaker_force_open(breaker text, who text, why text, expiry interval DEFAULT NULL)
RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT distributed_breaker_stands(b) FROM distributed_breaker_command(breaker, 'FORCE_OPEN', who, why, expiry) AS b
$$;

CREATE OR REPLACE FUNCTION distributed_breaker_force_closed(breaker text, who text, why text, expiry interval DEFAULT NULL)
RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT distributed_breaker_stands(b) FROM distributed_breaker_command(breaker, 'FORCE_CLOSED', who, why, expiry) AS b
$$;

CREATE OR REPLACE FUNCTION distributed_breaker_clear_override(breaker text, who text, why text)
RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT distributed_breaker_stands(b) FROM distributed_breaker_command(breaker, 'CLEAR_OVERRIDE', who, why) AS b
$$;

-- The last one: where it is there, all of this file is.
CREATE OR REPLACE FUNCTION distributed_breaker_reset(breaker text, who text, why text)
RETURNS text LANGUAGE sql SET search_path FROM CURRENT AS $$
    SELECT distributed_breaker_stands(b) FROM distributed_breaker_command(breaker, 'RESET', who, why) AS b
$$;

-- A search path may say "$user", which in a function is whoever calls it. What is to be remembered is where that led.
DO $$
DECLARE
    path text = (SELECT string_agg(quote_ident(s.name), ', ' ORDER BY s.nr)
                   FROM unnest(current_schemas(FALSE)) WITH ORDINALITY AS s (name, nr));
    made regprocedure;
BEGIN
    FOR made IN SELECT p.oid FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
                 WHERE n.nspname = current_schema() AND p.proconfig IS NOT NULL AND starts_with(p.proname, 'distributed_breaker_')
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %s', made, path);
    END LOOP;
END
$$;
