package io.distributedfallback.it.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** By keyboard, on a phone, in the dark, enlarged, and read out. */
@PageTest
class EverybodyIT {

    private static final String AXE = script("/axe.min.js");
    private static final int MANY = 60;
    private static final List<Size> SIZES = List.of(
            new Size(360, 740), new Size(320, 640), new Size(640, 450), new Size(1024, 700), new Size(1920, 1000));

    private record Size(int width, int height) {}

    @Test
    void a_command_can_be_given_by_keyboard_alone(Stage stage, Browser browser) {
        browser.login(stage.page("#search=stored"), Stage.OPERATOR);
        browser.awaitText("#breakers", "stored");
        tabTo(browser, "a stored");
        assertThat(browser.is("getComputedStyle(document.activeElement, '::after').outlineStyle !== 'none'"))
                .as("the focus is seen")
                .isTrue();
        browser.press(Keys.ENTER);
        until("the focus goes along", Browser.PATIENCE, () -> browser.focused().startsWith("h2#detail-title"));
        tabTo(browser, "button Force open");
        browser.press(Keys.ENTER);
        until(
                "the reason has the focus",
                Browser.PATIENCE,
                () -> browser.focused().startsWith("textarea#reason"));
        browser.press("by keyboard");
        browser.press(Keys.ESCAPE);
        until("the focus is back", Browser.PATIENCE, () -> browser.focused().startsWith("button Force open"));
        browser.press(Keys.SPACE);
        until(
                "what was typed is kept",
                Browser.PATIENCE,
                () -> browser.one("#reason").getDomProperty("value").equals("by keyboard"));
        browser.press(Keys.TAB);
        browser.press(Keys.ARROW_DOWN);
        browser.awaitText("#command-effect", "for 8 hours");
        tabTo(browser, "button#send");
        browser.press(Keys.ENTER);
        try {
            browser.awaitText(".detail .word", "Forced open");
            assertThat(stage.column("stored", "override_reason", String.class)).isEqualTo("by keyboard");
            browser.press(Keys.ESCAPE);
            until(
                    "the focus is on the row",
                    Browser.PATIENCE,
                    () -> browser.focused().equals("a stored"));
        } finally {
            stage.execute("DELETE FROM distributed_breaker WHERE name = 'stored'");
        }
    }

    @Test
    void nothing_sticks_out_at_any_width(Stage stage, Browser browser) {
        stage.open("outage");
        try {
            browser.login(stage.page(), Stage.OPERATOR);
            for (Size size : SIZES) {
                browser.size(size.width(), size.height());
                browser.open(stage.page());
                browser.awaitText("#breakers", "outage");
                browser.awaitText("#recent .entries", "outage");
                assertThat(browser.overflow()).as("the list, %s", size).isZero();
                browser.open(stage.detail("outage"));
                browser.awaitText(".detail .entries", "opened");
                assertThat(browser.overflow()).as("a breaker, %s", size).isZero();
                browser.click("button[data-action=FORCE_OPEN]");
                assertThat(browser.overflow()).as("a command, %s", size).isZero();
                assertThat(browser.is(
                                "(r => r.left >= 0 && r.right <= innerWidth && r.top >= 0 && r.bottom <= innerHeight)"
                                        + "(document.getElementById('command').getBoundingClientRect())"))
                        .as("the dialog, %s", size)
                        .isTrue();
            }
        } finally {
            stage.recover("outage");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "prefers-color-scheme, light, 1280",
        "prefers-color-scheme, dark, 1280",
        "prefers-color-scheme, dark, 360",
        "forced-colors, active, 1280"
    })
    void axe_finds_nothing_against_wcag_a_and_aa(
            String feature, String value, int width, Stage stage, Browser browser) {
        stage.open("outage");
        try {
            browser.size(width, 900);
            browser.prefer(feature, value);
            browser.login(stage.page(), Stage.OPERATOR);
            browser.awaitText("#recent .entries", "outage");
            assertThat(violations(browser)).isEmpty();
            stage.execute(QueueIT.DEAD_CALLS.replace("BREAKER", "outage"));
            browser.open(stage.detail("outage"));
            browser.awaitText(".detail .entries", "opened");
            browser.awaitText(".queue", "2 dead");
            assertThat(violations(browser)).isEmpty();
            browser.click("button[aria-label^='Discard']");
            browser.click("dialog[open] button.main");
            browser.awaitText("#order-error", "Say why");
            assertThat(violations(browser)).isEmpty();
            browser.press(Keys.ESCAPE);
            browser.click("button[data-action=FORCE_OPEN]");
            browser.click("#send");
            browser.awaitText("#command-error", "Say why");
            assertThat(violations(browser)).isEmpty();
        } finally {
            stage.execute("DELETE FROM distributed_queued_call");
            stage.recover("outage");
        }
    }

    @Test
    void dark_is_dark_and_moves_nothing_that_should_stand_still(Stage stage, Browser browser) {
        browser.prefer("prefers-color-scheme", "dark");
        browser.login(stage.page(), Stage.READER);
        assertThat(browser.text("return getComputedStyle(document.documentElement).backgroundColor"))
                .matches("rgb\\((\\d|1\\d|2\\d), (\\d|1\\d|2\\d), (\\d|1\\d|2\\d)\\)");
        browser.prefer("prefers-reduced-motion", "reduce");
        browser.awaitText("#breakers", "healthy");
        assertThat(browser.list("arguments[0]([...document.querySelectorAll('*')]"
                        + ".map(e => getComputedStyle(e).transitionDuration).filter(d => d !== '0s'))"))
                .isEmpty();
    }

    @Test
    void the_focus_and_what_is_selected_stay_while_the_page_changes(Stage stage, Browser browser) {
        browser.login(stage.page("#search=la"), Stage.READER);
        browser.awaitText("#breakers", "late");
        tabTo(browser, "a late");
        stage.open("late");
        try {
            browser.awaitText(".row[data-kind=open]", "late");
            assertThat(browser.focused()).isEqualTo("a late");
        } finally {
            stage.recover("late");
        }
        eventually(
                Browser.PATIENCE,
                () -> assertThat(browser.texts(".row[data-kind=open]")).isEmpty());
        assertThat(browser.focused()).isEqualTo("a late");
    }

    /** Goes on by the Tab key until the focus is there. */
    private static void tabTo(Browser browser, String start) {
        for (int i = 0; i < MANY; i++) {
            if (browser.focused().startsWith(start)) {
                return;
            }
            browser.press(Keys.TAB);
        }
        throw new AssertionError("the Tab key does not lead to " + start);
    }

    private static List<String> violations(Browser browser) {
        browser.run(AXE);
        return browser.list("const done = arguments[0];"
                + "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
                + ".then(r => done(r.violations.map(v => v.id + ': '"
                + " + v.nodes.map(n => n.target + ' ' + n.failureSummary).join(' | '))))");
    }

    private static String script(String name) {
        try (InputStream in = EverybodyIT.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
