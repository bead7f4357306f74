package io.distributedfallback.it.page;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One breaker in full, and what has happened to it. */
@PageTest
class DetailIT {

    @Test
    void shows_status_policy_evidence_and_a_picture_that_can_be_read_out(Stage stage, Browser browser) {
        stage.open("lease");
        stage.recover("lease");
        stage.open("lease");
        try {
            browser.login(stage.page(), Stage.READER);
            browser.awaitText(".row[data-kind=open]", "lease");
            browser.run("[...document.querySelectorAll('.row .name')].find(e => e.textContent === 'lease').click()");
            browser.awaitText("#detail-title", "lease");
            browser.awaitText(".detail .full", "the fallback");
            assertThat(browser.texts(".detail .full").get(0)).contains("open since", "probes passed", "failed on");
            browser.awaitText(".detail .entries", "opened: 3 failures in a row");
            browser.awaitText(".detail .entries", "closed: 3 probes passed in a row");
            assertThat(browser.texts(".detail .evidence").get(0)).contains("Failed on web-1", "503", "Policy in force");
            assertThat(browser.all(".detail svg.timeline rect.open")).hasSizeGreaterThanOrEqualTo(2);
            assertThat(browser.text("return document.querySelector('.detail svg.timeline desc').textContent"))
                    .matches("open \\d+ times, .* in all\\.");
            browser.click(".detail > div > details > summary");
            browser.awaitText(".detail .policy", "probe-interval");
            assertThat(browser.text("return location.hash")).isEqualTo("#breaker=lease");
            assertThat(browser.text("return document.querySelector('.detail time').title"))
                    .contains("UTC");
        } finally {
            stage.recover("lease");
        }
    }

    @Test
    void a_breaker_that_is_not_there_is_said_not_to_be(Stage stage, Browser browser) {
        browser.login(stage.page(), Stage.READER);
        browser.expectTrouble();
        browser.open(stage.detail("nobody"));
        browser.awaitText(".detail .why", "no breaker of this name");
    }

    @Test
    void all_breakers_share_a_timeline_that_leads_to_each(Stage stage, Browser browser) {
        stage.open("outage");
        stage.recover("outage");
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#recent .entries", "outage closed");
        assertThat(browser.text("return document.querySelector('#recent svg.timeline').textContent"))
                .contains("outage: open");
        browser.click("#recent .entries a.name");
        browser.one("#detail-title");
        browser.press(org.openqa.selenium.Keys.ESCAPE);
        browser.awaitText("#recent-title", "What has changed");
    }
}
