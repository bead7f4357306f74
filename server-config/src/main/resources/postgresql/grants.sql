-- The rights of the application's role, where the tables belong to another one (distributed-fallback.schema=validate).
-- It never changes an entry of the history, so it may not. On the tables of the breakers DELETE is for store.retire-after and
-- history.retention alone: without it rows and entries stay. Run by the owner of the tables, in their schema:
--
--     psql -v app_role=catalogue -f grants.sql
--
\set ON_ERROR_STOP on

GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_breaker TO :"app_role";
GRANT SELECT, INSERT, DELETE ON distributed_breaker_transition TO :"app_role";
-- For limits of fallbacks that hold for all instances.
GRANT SELECT, INSERT, UPDATE ON distributed_fallback_permit TO :"app_role";

-- For methods with @QueueWhenOpen. Nobody ever changes what operators commanded.
GRANT SELECT, INSERT, UPDATE, DELETE ON distributed_queued_call TO :"app_role";
GRANT SELECT, INSERT, UPDATE ON distributed_call_queue TO :"app_role";
GRANT SELECT, INSERT ON distributed_queue_command TO :"app_role";
