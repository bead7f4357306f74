package io.distributedfallback.it.page;

import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

/** What is shown follows what is, and says so when it does not. */
@PageTest
class LiveIT {

    @Test
    void a_breaker_that_opens_is_seen_and_announced_without_a_reload(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#connection", "Live");
        browser.awaitText(".row[data-kind=closed]", "stranded");
        browser.run("window.sameDocument = true");
        stage.open("stranded");
        try {
            browser.awaitText(".row[data-kind=open]", "stranded");
            eventually(
                    Browser.PATIENCE,
                    () -> assertThat(browser.text("return document.getElementById('announcements').textContent"))
                            .contains("stranded: open."));
            browser.awaitText("#recent .entries", "stranded opened");
            assertThat(browser.text("return document.title")).contains("open");
        } finally {
            stage.recover("stranded");
        }
        browser.awaitText(".row[data-kind=closed]", "stranded");
        assertThat(browser.is("window.sameDocument")).isTrue();
    }

    @Test
    void it_asks_every_few_seconds_where_events_do_not_come_through(Stage stage, Browser browser) {
        browser.expectTrouble();
        browser.block("*/api/events");
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#connection", "Polling");
        browser.awaitText(".row[data-kind=closed]", "frozen");
        stage.open("frozen");
        try {
            browser.awaitText(".row[data-kind=open]", "frozen");
        } finally {
            stage.recover("frozen");
        }
        browser.awaitText(".row[data-kind=closed]", "frozen");
        assertThat(browser.texts("#connection")).containsExactly("Polling every 5 s");
    }

    @Test
    void a_lost_connection_is_told_and_comes_back_by_itself(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#connection", "Live");
        browser.awaitText("#breakers", "healthy");
        browser.expectTrouble();
        stage.cable.cut();
        try {
            browser.awaitText("#connection", "Connection lost");
            browser.awaitText("#notice", "Showing what was known at ");
            assertThat(browser.texts("#notice").get(0)).contains("Connection lost since ");
            assertThat(browser.texts("#breakers").get(0)).contains("healthy");
        } finally {
            stage.cable.mend();
        }
        browser.awaitText("#connection", "Live");
        assertThat(browser.texts("#notice").stream().filter(text -> !text.isBlank()))
                .isEmpty();
    }

    @Test
    void an_expired_login_is_told_with_a_way_back_and_nothing_entered_is_lost(Stage stage, Browser browser) {
        browser.login(stage.detail("lease"), Stage.OPERATOR);
        browser.click("button[data-action=FORCE_OPEN]");
        browser.type("#reason", "INC-1, the vendor is down");
        browser.expectTrouble();
        browser.forgetLogin();
        browser.click("#send");
        browser.awaitText("#command-error", "Your login has expired, and nothing was changed.");
        assertThat(browser.one("#reason").getDomProperty("value")).isEqualTo("INC-1, the vendor is down");
        assertThat(stage.column("lease", "override_mode", String.class)).isNull();

        browser.click("#command-error a");
        browser.inNewTab(tab -> {
            tab.findElement(By.name("j_username")).sendKeys(Stage.OPERATOR);
            tab.findElement(By.name("j_password")).sendKeys(Stage.PASSWORD, Keys.ENTER);
            browser.one("#connection");
            assertThat(browser.text("return location.pathname")).endsWith("/distributed-fallback/");
        });
        try {
            browser.click("#send");
            browser.awaitText(".detail .word", "Forced open");
            assertThat(stage.column("lease", "override_reason", String.class)).isEqualTo("INC-1, the vendor is down");
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name = 'lease'");
        }
        browser.awaitText("#connection", "Live");
    }

    @Test
    void an_expired_login_is_told_before_anything_is_clicked(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#connection", "Live");
        browser.expectTrouble();
        browser.forgetLogin();
        stage.cable.cut();
        stage.cable.mend();
        browser.awaitText("#connection", "Login expired");
        browser.awaitText("#notice", "Log in again");
        assertThat(browser.one("#notice a").getDomAttribute("target")).isEqualTo("_blank");
        assertThat(browser.texts("#breakers").get(0)).contains("healthy");
    }

    @Test
    void a_database_that_is_away_is_told_while_the_copy_is_shown(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#breakers", "healthy");
        browser.expectTrouble();
        stage.postgres.stop();
        try {
            browser.awaitText("#notice", "The database does not answer.");
            assertThat(browser.texts("#breakers").get(0)).contains("healthy");
        } finally {
            stage.postgres.start();
        }
        eventually(
                Browser.PATIENCE.multipliedBy(2),
                () -> assertThat(browser.texts("#notice").stream().filter(text -> !text.isBlank()))
                        .isEmpty());
    }

    @Test
    void a_hidden_tab_asks_for_nothing_and_catches_up_when_it_is_seen(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#connection", "Live");
        browser.run(
                "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
                        + "document.dispatchEvent(new Event('visibilitychange')); const start = performance.now();"
                        + "window.asked = () => performance.getEntriesByType('resource').filter(e => e.startTime > start).length");
        stage.open("outage");
        try {
            assertThat(browser.number("setTimeout(done => done(asked()), 6000, arguments[0])"))
                    .isZero();
            browser.run("Object.defineProperty(document, 'hidden', {value: false});"
                    + "document.dispatchEvent(new Event('visibilitychange'))");
            browser.awaitText(".row[data-kind=open]", "outage");
        } finally {
            stage.recover("outage");
        }
    }
}
