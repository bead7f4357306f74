package io.distributedfallback.it.page;

import org.junit.jupiter.api.Test;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** From the form to the row. */
@PageTest
class CommandIT {

    @Test
    void a_command_says_what_will_happen_and_changes_the_row(Stage stage, Browser browser) {
        browser.login(stage.detail("deferred"), Stage.OPERATOR);
        browser.click("button[data-action=FORCE_OPEN]");
        assertThat(browser.texts("#command-effect").get(0))
                .startsWith("All instances will send calls of deferred to the fallback for 1 hour, until ");
        browser.click("#expiry input[value=never]");
        browser.awaitText("#command-effect", "until somebody clears it");
        browser.click("#minutes");
        browser.run("document.getElementById('minutes').value = ''");
        browser.type("#minutes", "90");
        browser.awaitText("#command-effect", "for 90 minutes");
        browser.click("#send");
        browser.awaitText("#command-error", "Say why");
        browser.type("#reason", "Vendor maintenance <b>INC-4711</b>");
        browser.click("#send");
        try {
            browser.awaitText(".detail .word", "Forced open");
            assertThat(browser.all("dialog[open]")).isEmpty();
            assertThat(browser.focused()).startsWith("button Force open");
            assertThat(stage.column("deferred", "override_mode", String.class)).isEqualTo("FORCED_OPEN");
            assertThat(stage.column("deferred", "override_by", String.class)).isEqualTo(Stage.OPERATOR);
            assertThat(stage.column("deferred", "override_reason", String.class))
                    .isEqualTo("Vendor maintenance <b>INC-4711</b>");
            assertThat(stage.column(
                            "deferred",
                            "override_until BETWEEN now() + interval '89 minutes' AND now() + interval '91 minutes'",
                            Boolean.class))
                    .isTrue();
            browser.awaitText(".detail .entries", "forced open");
            browser.awaitText(".detail .entries", "Vendor maintenance <b>INC-4711</b>");

            browser.click("button[data-action=CLEAR_OVERRIDE]");
            browser.awaitText("#command-effect", "Forced open by olga ends.");
            assertThat(browser.texts("#expiry")).isEmpty();
            browser.type("#reason", "They are done");
            browser.click("#send");
            browser.awaitText(".detail .word", "Closed");
            assertThat(stage.column("deferred", "override_mode", String.class)).isNull();
            eventually(
                    Browser.PATIENCE,
                    () -> assertThat(browser.texts("button[data-action=CLEAR_OVERRIDE]"))
                            .isEmpty());
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name = 'deferred'");
        }
    }

    @Test
    void a_reset_closes_what_is_open(Stage stage, Browser browser) {
        stage.open("trial");
        browser.login(stage.detail("trial"), Stage.OPERATOR);
        browser.awaitText(".detail .word", "Open");
        browser.click("button[data-action=RESET]");
        browser.awaitText("#command-effect", "Calls will go to the primary.");
        browser.type("#reason", "New key deployed");
        browser.click("#send");
        browser.awaitText(".detail .word", "Closed");
        assertThat(stage.column("trial", "state", String.class)).isEqualTo("CLOSED");
    }

    @Test
    void a_command_that_fails_says_so_and_keeps_what_was_typed(Stage stage, Browser browser) {
        browser.login(stage.detail("refused"), Stage.OPERATOR);
        browser.click("button[data-action=FORCE_CLOSED]");
        browser.type("#reason", "Their status page lies");
        browser.click("#expiry input[value='480']");
        browser.expectTrouble();
        stage.postgres.stop();
        try {
            browser.click("#send");
            browser.awaitText("#command-error", "Not done.");
            assertThat(browser.one("#reason").getDomProperty("value")).isEqualTo("Their status page lies");
            assertThat(browser.one("#expiry input[value='480']").isSelected()).isTrue();
            assertThat(browser.texts(".detail .word")).containsExactly("Closed");
        } finally {
            stage.postgres.start();
        }
        try {
            eventually(Browser.PATIENCE.multipliedBy(2), () -> {
                browser.click("#send");
                eventually(
                        Browser.PATIENCE.dividedBy(4),
                        () -> assertThat(browser.all("dialog[open]")).isEmpty());
            });
            browser.awaitText(".detail .word", "Forced closed");
            assertThat(stage.column("refused", "override_mode", String.class)).isEqualTo("FORCED_CLOSED");
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name = 'refused'");
        }
    }

    @Test
    void who_may_only_look_sees_no_commands(Stage stage, Browser browser) {
        browser.login(stage.detail("healthy"), Stage.READER);
        browser.awaitText(".detail .why", "Calls go to the primary");
        browser.awaitText("#connection", "Live");
        assertThat(browser.texts(".commands")).isEmpty();
        assertThat(browser.texts("button[data-action]")).isEmpty();
    }
}
