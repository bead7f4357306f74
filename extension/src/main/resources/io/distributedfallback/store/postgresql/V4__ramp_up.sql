-- Distributed Fallback, schema version 4: on top of version 3, whose rows keep their state and their history.
-- PostgreSQL 14 or later.
--
-- Run it once, after V3__commands_and_history.sql and before instances of a version that needs it start, as the owner of
-- the tables; or let distributed-fallback.schema=create do it. It can be run again. Instances of a version that knows the
-- first three files only go on working; they send all calls to the primary while the others let only a share through.
-- It rewrites the table of breakers, under a lock, in the time that copying its rows takes. It needs no further grants.

-- A row of which the share of calls still grows is read by all instances, and so is an active one. PostgreSQL cannot change
-- what a generated column is made of; it is made anew, with its index, and only where that has not been done.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('distributed_breaker')
                      AND attname = 'ramp_up_until' AND NOT attisdropped) THEN
        ALTER TABLE distributed_breaker
            DROP COLUMN active,
            ADD COLUMN ramp_up_from timestamptz CHECK (isfinite(ramp_up_from)),
            ADD COLUMN ramp_up_until timestamptz CHECK (isfinite(ramp_up_until)),
            ADD COLUMN active boolean NOT NULL GENERATED ALWAYS AS (
                state = 'OPEN'
                OR consecutive_failures > 0
                OR window_until IS NOT NULL
                OR cooldown_until IS NOT NULL
                OR ramp_up_until IS NOT NULL
                OR override_mode IS NOT NULL) STORED;
        CREATE INDEX distributed_breaker_active ON distributed_breaker (name) WHERE active;
    END IF;
END
$$;

COMMENT ON COLUMN distributed_breaker.ramp_up_from IS
    'when the share of calls that go to the primary begins to grow from 0, the closing or the end of a pause';
COMMENT ON COLUMN distributed_breaker.ramp_up_until IS
    'when that share is 1, NULL if all calls go there. Of an open breaker that of the share in which a failure opened it';

-- The function of version 3, but for the two columns that a reset clears as well.
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
               ramp_up_from = NULL, ramp_up_until = NULL,
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

-- A search path may say "$user", which in a function is whoever calls it. What is to be remembered is where that led.
DO $$
DECLARE
    path text = (SELECT string_agg(quote_ident(s.name), ', ' ORDER BY s.nr)
                   FROM unnest(current_schemas(FALSE)) WITH ORDINALITY AS s (name, nr));
    made regprocedure;
BEGIN
    FOR made IN SELECT p.oid FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace
                 WHERE n.nspname = current_schema() AND p.proconfig IS NOT NULL AND p.proname = 'distributed_breaker_command'
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %s', made, path);
    END LOOP;
END
$$;

-- The last one: where it is there, all of this file is.
ALTER TABLE distributed_breaker_transition
    ADD COLUMN IF NOT EXISTS ramp_up_percent integer;

COMMENT ON COLUMN distributed_breaker_transition.ramp_up_percent IS
    'the share of calls that the primary got when a failure among them opened it, NULL if the opening had another cause';
