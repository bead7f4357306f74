package io.distributedfallback.it.page;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** Stored calls on the page: how many wait, what was given up, and what an operator does about it. */
@PageTest
class QueueIT {

    /** Of a method that this application does not have. */
    static final String DEAD_CALLS = """
            INSERT INTO distributed_queued_call (breaker, method, order_key, arguments, stored_by, state, attempts, last_error, dead_at)
            SELECT 'BREAKER', 'com.example.Mails#send(java.lang.String)', 'customer <' || n || '>', '["secret"]', 'web-1',
                   CASE WHEN n < 3 THEN 'DEAD' ELSE 'PENDING' END, n, 'HTTP 422 <b>no</b>', now() FROM generate_series(1, 3) AS n
            """;

    @AfterEach
    void clean(Stage stage) {
        stage.execute("DELETE FROM distributed_queued_call", "DELETE FROM distributed_queue_command");
    }

    private static <T> T ask(Stage stage, Class<T> type, String sql) {
        return stage.postgres.ask("postgres", type, sql);
    }

    @Test
    void an_operator_sees_what_was_given_up_and_retries_or_discards_it(Stage stage, Browser browser) {
        stage.execute(DEAD_CALLS.replace("BREAKER", "deferred"));
        browser.login(stage.detail("deferred"), Stage.OPERATOR);
        browser.awaitText(".queue", "1 pending");
        browser.awaitText(".queue", "2 dead");
        browser.awaitText(".queue", "Mails.send(String)");
        browser.awaitText(".queue", "customer <1>");
        browser.awaitText(".queue", "HTTP 422 <b>no</b>");
        browser.awaitText(".queue", "This application has no such method");
        assertThat(browser.texts(".queue").get(0)).doesNotContain("secret");

        browser.click(".dead-calls li:first-child button[aria-label^='Discard']");
        browser.type("#order-reason", "They left");
        browser.click("dialog[open] button.main");
        browser.awaitText(".queue", "1 dead");
        assertThat(ask(stage, Long.class, "SELECT count(*) FROM distributed_queued_call"))
                .isEqualTo(2);

        browser.click(".dead-calls button[aria-label^='Retry']");
        browser.type("#order-reason", "The address is mended");
        browser.click("dialog[open] button.main");
        browser.awaitText(".queue", "2 pending");
        eventually(
                Browser.PATIENCE, () -> assertThat(browser.all(".dead-calls")).isEmpty());
        assertThat(ask(
                        stage,
                        String.class,
                        "SELECT string_agg(action || ' by ' || commanded_by || ': ' || reason, ', ' ORDER BY id)"
                                + " FROM distributed_queue_command"))
                .isEqualTo("DISCARD by olga: They left, RETRY by olga: The address is mended");
    }

    @Test
    void who_may_only_look_sees_no_buttons(Stage stage, Browser browser) {
        stage.execute(DEAD_CALLS.replace("BREAKER", "deferred"));
        browser.login(stage.detail("deferred"), Stage.READER);
        browser.awaitText(".queue", "2 dead");
        assertThat(browser.texts(".queue button")).isEmpty();
    }

    @Test
    void a_breaker_without_a_queue_shows_none(Stage stage, Browser browser) {
        browser.login(stage.detail("healthy"), Stage.READER);
        browser.awaitText(".detail .why", "Calls go to the primary");
        assertThat(browser.texts(".queue")).isEmpty();
    }
}
