-- A night on call, for the pictures of the guide. Nobody calls these breakers, so they stand still.
INSERT INTO distributed_breaker (name, version, state, consecutive_failures, failure_threshold, failing_instances,
    consecutive_probe_successes, opened_at, next_probe_at, cooldown_until, closed_at, override_mode, override_by,
    override_reason, override_until, window_started_at, window_until, window_calls, window_failures,
    last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, updated_at)
VALUES
    ('rawg', 1, 'OPEN', 3, 3, '{web-1,web-2}', 1, now() - interval '4 minutes 12 seconds', now() + interval '14 seconds',
     NULL, now() - interval '22 minutes', NULL, NULL, NULL, NULL, NULL, NULL, 0, 0,
     now() - interval '4 minutes 12 seconds', 'OUTAGE',
     'WebApplicationException: HTTP 503 Service Unavailable, GET https://api.rawg.io/api/games?***', 'web-2', now()),
    ('payments', 1, 'OPEN', 5, 5, '{web-1,web-2,web-3,web-4}', 0, now() - interval '252 minutes',
     now() + interval '12 seconds', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, now() - interval '8 seconds',
     'OUTAGE', 'SocketTimeoutException: Read timed out', 'web-3', now()),
    ('legacy-crm', 1, 'OPEN', 3, 3, '{web-2}', 0, now() - interval '68 minutes', now() + interval '5 seconds', NULL, NULL,
     'FORCED_CLOSED', 'ben', 'Their health page lies, calls do work', NULL, NULL, NULL, 0, 0,
     now() - interval '68 minutes', 'OUTAGE', 'ConnectException: Connection refused', 'web-2', now()),
    ('maps-eu', 1, 'CLOSED', 0, 3, '{}', 0, NULL, NULL, NULL, now() - interval '9 hours', 'FORCED_OPEN', 'anna',
     'Vendor moves to new servers, INC-4711', now() + interval '43 minutes', NULL, NULL, 0, 0, NULL, NULL, NULL, NULL,
     now()),
    ('jikan', 1, 'CLOSED', 0, 3, '{}', 0, NULL, NULL, now() + interval '48 seconds', NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, 0, 0, now() - interval '12 seconds', 'THROTTLED', 'HTTP 429 Too Many Requests, Retry-After: 60', 'web-2', now()),
    ('igdb', 1, 'CLOSED', 2, 3, '{web-1}', 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0,
     now() - interval '31 seconds', 'SLOW', 'no answer within 2 s', 'web-1', now());

-- One that has just closed, and gets its traffic back bit by bit.
INSERT INTO distributed_breaker (name, version, state, opened_at, closed_at, ramp_up_from, ramp_up_until, last_failure_at,
    last_failure_kind, last_failure_text, last_failure_instance, updated_at)
VALUES
    ('musicbrainz', 1, 'CLOSED', now() - interval '9 minutes', now() - interval '2 minutes', now() - interval '2 minutes',
     now() + interval '3 minutes', now() - interval '9 minutes', 'OUTAGE', 'HTTP 503 Service Unavailable', 'web-3', now());

INSERT INTO distributed_breaker_transition (breaker, version, from_state, to_state, cause, instance, made_at,
    evidence_count, consecutive_failures, window_calls, window_failures, probes_passed, failing_instances,
    recent_failures, policy, commanded_action, commanded_by, reason, from_override, to_override, override_until)
SELECT breaker, row_number() OVER (ORDER BY ago DESC), from_state, to_state, cause, instance, now() - ago, failures,
       failures, calls, failed, passed, CASE WHEN cause LIKE 'FAIL%' THEN '{web-1,web-2}'::text[] ELSE '{}' END,
       CASE WHEN cause LIKE 'FAIL%' THEN jsonb_build_array(
         jsonb_build_object('at', now() - ago, 'kind', 'OUTAGE', 'instance', 'web-2',
           'text', 'WebApplicationException: HTTP 503 Service Unavailable, GET https://api.rawg.io/api/games?***'),
         jsonb_build_object('at', now() - ago - interval '2 seconds', 'kind', 'SLOW', 'instance', 'web-1',
           'text', 'no answer within 2 s')) ELSE '[]' END,
       CASE WHEN action IS NULL THEN 'failure-threshold=3 probe-interval=PT15S probe-successes=3' END,
       action, by, reason, before, after, now() + until
  FROM (VALUES
    ('payments', interval '300 minutes', 'CLOSED', 'OPEN', 'FAILURES', 'web-3', 5, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL::interval),
    ('payments', interval '290 minutes', 'OPEN', 'CLOSED', 'PROBES', 'web-1', 0, 0, 0, 3, NULL, NULL, NULL, NULL, NULL, NULL),
    ('payments', interval '252 minutes', 'CLOSED', 'OPEN', 'FAILURES', 'web-2', 5, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL),
    ('rawg', interval '205 minutes', 'CLOSED', 'OPEN', 'FAILURE_RATIO', 'web-2', 1, 80, 44, 0, NULL, NULL, NULL, NULL, NULL, NULL),
    ('rawg', interval '178 minutes', 'OPEN', 'CLOSED', 'PROBES', 'web-1', 0, 0, 0, 3, NULL, NULL, NULL, NULL, NULL, NULL),
    ('rawg', interval '150 minutes', 'CLOSED', 'CLOSED', 'OPERATOR', 'web-3', 0, 0, 0, 0, 'FORCE_OPEN', 'anna', 'Vendor maintenance, INC-4700', NULL, 'FORCED_OPEN', interval '-90 minutes'),
    ('rawg', interval '110 minutes', 'CLOSED', 'CLOSED', 'OPERATOR', 'sql', 0, 0, 0, 0, 'CLEAR_OVERRIDE', 'dba', 'They are done early', 'FORCED_OPEN', NULL, NULL),
    ('legacy-crm', interval '68 minutes', 'CLOSED', 'OPEN', 'FAILURES', 'web-2', 3, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL),
    ('rawg', interval '41 minutes', 'CLOSED', 'OPEN', 'FAILURES', 'web-1', 3, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL),
    ('rawg', interval '22 minutes', 'OPEN', 'CLOSED', 'OPERATOR', 'web-1', 3, 0, 0, 1, 'RESET', 'ben', 'New key deployed', NULL, NULL, NULL),
    ('maps-eu', interval '17 minutes', 'CLOSED', 'CLOSED', 'OPERATOR', 'web-1', 0, 0, 0, 0, 'FORCE_OPEN', 'anna', 'Vendor moves to new servers, INC-4711', NULL, 'FORCED_OPEN', interval '43 minutes'),
    ('legacy-crm', interval '12 minutes', 'OPEN', 'OPEN', 'OPERATOR', 'web-2', 3, 0, 0, 0, 'FORCE_CLOSED', 'ben', 'Their health page lies, calls do work', NULL, 'FORCED_CLOSED', NULL),
    ('rawg', interval '4 minutes 12 seconds', 'CLOSED', 'OPEN', 'FAILURES', 'web-2', 3, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL)
  ) AS entry (breaker, ago, from_state, to_state, cause, instance, failures, calls, failed, passed, action, by, reason, before, after, until)
 ORDER BY ago DESC;
