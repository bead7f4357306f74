package io.distributedfallback.it.page;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** All breakers at a glance. */
@PageTest
class GlanceIT {

    private static final String NAMES = ".row .name";

    /** The best of some is what the page costs; the others are what else the machine had to do. */
    private static final int LOADS = 5;

    @Test
    void lists_every_breaker_with_its_state_in_words(Stage stage, Browser browser) {
        stage.open("outage");
        try {
            browser.login(stage.page(), Stage.READER);
            browser.awaitText(".row[data-kind=open]", "outage");
            assertThat(row(browser, "outage")).contains("Open", "Calls go to the fallback", "in a row", "web-1", "503");
            assertThat(row(browser, "healthy")).contains("Closed");
            assertThat(browser.texts("#filters a")).anyMatch(text -> text.matches("(?s)Open\\s*[1-9].*"));
        } finally {
            stage.recover("outage");
        }
    }

    @Test
    void one_that_ramps_up_is_not_simply_closed_and_its_share_counts_by_itself(Stage stage, Browser browser) {
        stage.execute("INSERT INTO distributed_breaker (name, version, state, closed_at, ramp_up_from, ramp_up_until,"
                + " updated_at) VALUES ('returning', 1, 'CLOSED', now() - interval '40 seconds',"
                + " now() - interval '40 seconds', now() + interval '50 seconds', now())");
        try {
            browser.login(stage.page(), Stage.READER);
            browser.awaitText(".row[data-kind=ramping]", "returning");
            assertThat(row(browser, "returning"))
                    .contains("Ramping up", "A growing share of the calls goes to the primary", "to the primary")
                    .containsPattern("[4-9][0-9] % of the calls, all in [0-9]+ s");
            String before = browser.text("return document.querySelector('.row time[data-reading=share]').textContent");
            eventually(
                    Browser.PATIENCE,
                    () -> assertThat(browser.text(
                                    "return document.querySelector('.row time[data-reading=share]').textContent"))
                            .isNotEqualTo(before));
            browser.open(stage.detail("returning"));
            browser.awaitText(".detail", "the primary and the fallback");
            browser.awaitText(".detail", "Ramping up");
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name = 'returning'");
        }
    }

    @Test
    void filters_and_searches_on_the_server_and_keeps_it_in_the_address(Stage stage, Browser browser) {
        stage.open("late");
        try {
            browser.login(stage.page(), Stage.READER);
            browser.awaitText("#breakers", "healthy");
            browser.click("#filters a[data-filter=open]");
            eventually(
                    Browser.PATIENCE,
                    () -> assertThat(browser.texts(NAMES)).contains("late").doesNotContain("healthy"));
            browser.type("#search", "lat");
            eventually(Browser.PATIENCE, () -> assertThat(browser.texts(NAMES)).containsExactly("late"));
            eventually(
                    Browser.PATIENCE,
                    () -> assertThat(browser.text("return location.hash")).isEqualTo("#state=open&search=lat"));

            browser.open(stage.page("#search=healthy"));
            browser.run("location.reload()");
            eventually(Browser.PATIENCE, () -> assertThat(browser.texts(NAMES)).containsExactly("healthy"));
            assertThat(browser.one("#search").getDomProperty("value")).isEqualTo("healthy");
            browser.one("#search").clear();
            browser.type("#search", "no such thing" + Keys.ENTER);
            browser.awaitText("#empty", "No breaker with “no such thing” in its name");
            browser.click("#empty a");
            browser.awaitText("#breakers", "healthy");
        } finally {
            stage.recover("late");
        }
    }

    @Test
    void two_thousand_breakers_are_there_within_a_second_a_page_at_a_time(Stage stage, Browser browser)
            throws Exception {
        stage.useMany(2000);
        browser.login(stage.page(), Stage.READER);
        browser.awaitText("#range", "1 to 50 of 2,0");
        long took = browser.number(
                "const done = arguments[0]; const start = performance.now();"
                        + "document.querySelector('#filters a[data-filter=closed]').click();"
                        + "const wait = () => performance.getEntriesByName('list').some(e => e.startTime > start)"
                        + " && document.querySelector('#filters a[data-filter=closed][aria-current]')"
                        + " ? requestAnimationFrame(() => done(performance.now() - start)) : setTimeout(wait, 5); setTimeout(wait);");
        System.out.println("2,000 breakers: a filter was followed in " + took + " ms");
        assertThat(took).isLessThan(1000);

        browser.open(stage.page("#state=closed"));
        long shown = Long.MAX_VALUE;
        for (int i = 0; i < LOADS; i++) {
            browser.run("window.before = true; location.reload()");
            until("the page is loaded anew", Browser.PATIENCE, () -> browser.is("window.before === undefined"));
            browser.awaitText("#range", "1 to 50 of 2,0");
            shown = Math.min(
                    shown, browser.number("arguments[0](performance.getEntriesByName('first list')[0].startTime)"));
        }
        System.out.println("2,000 breakers: the page was loaded and the list shown in " + shown + " ms at best");
        assertThat(shown).isLessThan(1000);

        List<String> first = browser.texts(NAMES);
        browser.click("#next");
        browser.awaitText("#range", "51 to 100 of 2,0");
        assertThat(browser.texts(NAMES)).hasSize(50).doesNotContainAnyElementsOf(first);
        browser.type("#search", "provider-1999");
        eventually(Browser.PATIENCE, () -> assertThat(browser.texts(NAMES)).containsExactly("provider-1999"));
    }

    @Test
    void hostile_names_and_texts_are_shown_and_do_nothing(Stage stage, Browser browser) throws Exception {
        String markup = "<img src=x onerror=alert(1)>\"'&amp;{{1+1}}";
        String turned = "\u202Eevil/x\u202C " + "عربي " + "n".repeat(150);
        stage.use(markup);
        // No application can have such a name, but somebody can write it into the table.
        stage.execute(
                "INSERT INTO distributed_breaker (name, state, consecutive_failures, opened_at, next_probe_at, version, updated_at)"
                        + " VALUES ('" + turned + "', 'OPEN', 3, now(), now() + interval '1 hour', 1, now())",
                "INSERT INTO distributed_breaker (name, state, consecutive_failures, opened_at, next_probe_at,"
                        + " last_failure_at, last_failure_kind, last_failure_text, last_failure_instance, version, updated_at)"
                        + " VALUES ('<b>hostile</b>', 'OPEN', 3, now(), now() + interval '1 hour', now(), 'OUTAGE',"
                        + " '<script>alert(1)</script> \u202Egnp.exe " + "x".repeat(150)
                        + "', '<i>web</i>', 1, now())");
        try {
            browser.size(360, 740);
            browser.login(stage.page(), Stage.READER);
            browser.awaitText("#breakers", "<b>hostile</b>");
            browser.awaitText("#breakers", "عربي");
            assertThat(row(browser, "<b>hostile</b>")).contains("<script>alert(1)</script>");
            assertThat(browser.all("#breakers img, #breakers script, #breakers i"))
                    .isEmpty();
            assertThat(browser.overflow()).isZero();
            for (String name : List.of(markup, turned, "<b>hostile</b>")) {
                browser.open(stage.detail(name));
                browser.awaitText("#detail-title", name.substring(0, 5));
                browser.awaitText(".detail .why", "Calls go to");
                assertThat(browser.overflow()).isZero();
            }
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name LIKE '%hostile%' OR name LIKE '%evil%'");
        }
    }

    private static String row(Browser browser, String name) {
        return browser.texts(".row").stream()
                .filter(text -> text.startsWith(name + "\n"))
                .findFirst()
                .orElse("no row of " + name);
    }
}
