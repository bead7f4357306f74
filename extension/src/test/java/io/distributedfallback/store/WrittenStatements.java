package io.distributedfallback.store;

/**
 * Counts the statements that write to the tables of a database or change its definitions, from now on: also those that
 * find nothing to change, and those that are rolled back.
 */
final class WrittenStatements {

    private final TestPostgres postgres;

    WrittenStatements(TestPostgres postgres) {
        this.postgres = postgres;
        // A sequence is not rolled back. Its first value is taken here.
        postgres.execute("CREATE SEQUENCE statements; SELECT nextval('statements');"
                + " CREATE FUNCTION count_statement() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM nextval(''statements''); RETURN NULL; END';"
                + " CREATE FUNCTION count_definition() RETURNS event_trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM nextval(''statements''); END'");
        for (String table : postgres.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")) {
            postgres.execute("CREATE TRIGGER count_statement BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON " + table
                    + " FOR EACH STATEMENT EXECUTE FUNCTION count_statement()");
        }
        postgres.execute(
                "CREATE EVENT TRIGGER count_definition ON ddl_command_start EXECUTE FUNCTION count_definition()");
    }

    long count() {
        return Long.parseLong(
                postgres.query("SELECT last_value - 1 FROM statements").get(0));
    }
}
