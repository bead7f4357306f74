package io.distributedfallback.it.page;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Takes the pictures of the guide, of a night that is written into the tables, and shows that all of it is on the page. */
@PageTest
@Tag("pictures")
class PicturesIT {

    private static final Path FOLDER = Path.of("target", "pictures");
    private static final String BREAKERS =
            "'rawg', 'payments', 'legacy-crm', 'maps-eu', 'jikan', 'igdb', 'musicbrainz'";

    @BeforeEach
    void let_the_night_begin(Stage stage) throws IOException {
        Files.createDirectories(FOLDER);
        stage.execute("TRUNCATE distributed_breaker_transition");
        try (InputStream scene = PicturesIT.class.getResourceAsStream("/page/scene.sql")) {
            stage.execute(new String(Objects.requireNonNull(scene).readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void let_it_end(Stage stage) {
        stage.execute(
                "DELETE FROM distributed_breaker WHERE name IN (" + BREAKERS + ")",
                "TRUNCATE distributed_breaker_transition");
    }

    @Test
    void all_breakers(Stage stage, Browser browser) throws IOException {
        browser.login(stage.page(), Stage.OPERATOR);
        browser.awaitText("#connection", "Live");
        browser.awaitText("#recent .entries", "rawg opened: 3 failures in a row");
        browser.awaitText(".row[data-kind=forced-closed]", "forced it closed, though it is open");
        browser.awaitText(".row[data-kind=cooling]", "jikan");
        browser.awaitText(".row[data-kind=counting]", "2 of 3 failures in a row");
        browser.awaitText(".row[data-kind=ramping]", "of the calls, all in");
        assertThat(browser.all("#recent svg.timeline .lane")).hasSize(4);
        keep(browser, "dashboard");
    }

    @Test
    void one_breaker(Stage stage, Browser browser) throws IOException {
        browser.login(stage.detail("rawg"), Stage.OPERATOR);
        browser.awaitText("#connection", "Live");
        browser.awaitText(".detail .entries", "44 of 80 calls in the window failed");
        browser.click(".detail .spans label:nth-of-type(2)");
        assertThat(browser.all(".detail svg.timeline rect.open")).hasSize(3);
        assertThat(browser.all(".detail svg.timeline rect.forced-open")).hasSize(1);
        assertThat(browser.all(".detail svg.timeline path.mark")).hasSize(3);
        assertThat(browser.text("return document.querySelector('.detail svg.timeline desc').textContent"))
                .startsWith("open 3 times, 50 min in all; forced open once, 40 min in all; 3 commands");
        keep(browser, "dashboard-breaker");
    }

    @Test
    void a_command(Stage stage, Browser browser) throws IOException {
        browser.size(1000, 700);
        browser.login(stage.detail("rawg"), Stage.OPERATOR);
        browser.awaitText(".detail .entries", "opened");
        browser.click("button[data-action=FORCE_OPEN]");
        browser.type("#reason", "RAWG says two hours, INC-4712");
        browser.click("#expiry input[value='480']");
        browser.awaitText("#command-effect", "for 8 hours");
        keep(browser, "dashboard-command");
    }

    @Test
    void on_a_phone(Stage stage, Browser browser) throws IOException {
        browser.size(360, 740);
        browser.login(stage.page(), Stage.OPERATOR);
        browser.awaitText("#connection", "Live");
        browser.awaitText("#breakers", "payments");
        browser.awaitText(".row[data-kind=ramping]", "musicbrainz");
        assertThat(browser.overflow()).isZero();
        keep(browser, "dashboard-phone");
    }

    @Test
    void in_the_dark(Stage stage, Browser browser) throws IOException {
        browser.size(1100, 720);
        browser.prefer("prefers-color-scheme", "dark");
        browser.login(stage.detail("payments"), Stage.READER);
        browser.awaitText("#connection", "Live");
        browser.awaitText(".detail .entries", "opened");
        keep(browser, "dashboard-dark");
    }

    private static void keep(Browser browser, String name) throws IOException {
        Files.write(FOLDER.resolve(name + ".png"), browser.screenshot());
    }
}
