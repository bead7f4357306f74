package io.distributedfallback.it.page;

import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

import static io.distributedfallback.it.harness.Eventually.eventually;
import static io.distributedfallback.it.harness.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Real Chromium with nobody in front of it. It remembers all that a page must not do. */
final class Browser implements AutoCloseable {

    /** Long enough for a loaded machine; a test that needs it has failed. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String REMEDY = "The tests of the page need Chromium and its driver. On Debian:"
            + " apt-get install chromium chromium-driver. Elsewhere say where they are in the environment variables"
            + " CHROMIUM and CHROMEDRIVER";

    /** Runs in each document before its own scripts. */
    private static final String WITNESS = "window.misdeeds = [];"
            + "addEventListener('securitypolicyviolation',"
            + " e => misdeeds.push('CSP: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));"
            + "addEventListener('error', e => misdeeds.push('error: ' + e.message));"
            + "addEventListener('unhandledrejection', e => misdeeds.push('rejection: ' + e.reason));";

    private final ChromeDriver driver;
    private boolean troubled;

    Browser() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(find("CHROMIUM", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--lang=en-GB");
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(
                        find("CHROMEDRIVER", "/usr/bin/chromedriver", "/usr/lib/chromium-browser/chromedriver"))
                .usingAnyFreePort()
                .build();
        driver = new ChromeDriver(service, options);
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", WITNESS));
        size(1280, 900);
    }

    private static File find(String variable, String... places) {
        return Stream.concat(Stream.ofNullable(System.getenv(variable)), Stream.of(places))
                .map(File::new)
                .filter(File::canExecute)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(REMEDY));
    }

    /** As large as a phone or a desk wants it. */
    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    /** What the user has asked the system for, such as {@code prefers-color-scheme}: {@code dark}. */
    void prefer(String feature, String value) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    /** Lets no request through whose address looks like this. */
    void block(String pattern) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand("Network.setBlockedURLs", Map.of("urls", List.of(pattern)));
    }

    void open(URI address) {
        driver.get(address.toString());
    }

    /** Comes through the login page of the application, which forgets what stands behind the # of an address. */
    void login(URI address, String user) {
        open(address.resolve("."));
        driver.findElement(By.name("j_username")).sendKeys(user);
        driver.findElement(By.name("j_password")).sendKeys(Stage.PASSWORD, Keys.ENTER);
        until("logged in as " + user, PATIENCE, () -> !all("#connection").isEmpty());
        if (address.getRawFragment() != null) {
            open(address);
        }
    }

    /** What ends a login. */
    void forgetLogin() {
        driver.manage().deleteAllCookies();
    }

    /** Does something in the tab that was opened last, and comes back from it. */
    void inNewTab(Consumer<WebDriver> what) {
        String here = driver.getWindowHandle();
        until("there is a new tab", PATIENCE, () -> driver.getWindowHandles().size() > 1);
        driver.getWindowHandles().stream()
                .filter(tab -> !tab.equals(here))
                .forEach(tab -> driver.switchTo().window(tab));
        what.accept(driver);
        driver.close();
        driver.switchTo().window(here);
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    /** The first element for a selector, once it is there and to be seen. */
    WebElement one(String selector) {
        until(
                selector + " is shown",
                PATIENCE,
                () -> driver.findElements(By.cssSelector(selector)).stream().anyMatch(WebElement::isDisplayed));
        return driver.findElements(By.cssSelector(selector)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst()
                .orElseThrow();
    }

    /** The visible text of the elements for a selector. */
    List<String> texts(String selector) {
        return ((List<?>) Objects.requireNonNull(driver.executeScript(
                        "return [...document.querySelectorAll(arguments[0])].filter(e => e.offsetParent !== null)"
                                + ".map(e => e.innerText)",
                        selector)))
                .stream().map(String::valueOf).toList();
    }

    /** Waits for a text in an element. */
    void awaitText(String selector, String text) {
        eventually(
                PATIENCE, () -> assertThat(String.join("\n", texts(selector))).contains(text));
    }

    void click(String selector) {
        one(selector).click();
    }

    void type(String selector, String text) {
        one(selector).sendKeys(text);
    }

    /** Presses a key, wherever the focus is. */
    void press(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    /** What has the focus, as {@code tag#id.class} with its text. */
    String focused() {
        return text("const e = document.activeElement; return e.tagName.toLowerCase() + (e.id ? '#' + e.id : '')"
                + " + ' ' + (e.getAttribute('aria-label') || e.innerText || e.value || '').trim().split('\\n')[0]");
    }

    /** Runs a script in the page. */
    void run(String script, Object... arguments) {
        driver.executeScript(script, arguments);
    }

    /** What a script gives back, as text. */
    String text(String script, Object... arguments) {
        return String.valueOf(driver.executeScript(script, arguments));
    }

    boolean is(String condition) {
        return Boolean.TRUE.equals(driver.executeScript("return " + condition));
    }

    /** The number that a script gives to the function that is its last argument. */
    long number(String script) {
        return ((Number) Objects.requireNonNull(driver.executeAsyncScript(script))).longValue();
    }

    /** The texts that a script gives to the function that is its last argument. */
    List<String> list(String script) {
        return ((List<?>) Objects.requireNonNull(driver.executeAsyncScript(script)))
                .stream().map(String::valueOf).toList();
    }

    byte[] screenshot() {
        return driver.getScreenshotAs(OutputType.BYTES);
    }

    /** How much of the page sticks out to the right. */
    long overflow() {
        return number("arguments[0](document.documentElement.scrollWidth - innerWidth)");
    }

    /** From here on requests fail, and the browser says so in its console. */
    void expectTrouble() {
        assertWellBehaved();
        troubled = true;
    }

    /** Nothing was refused by the page's own policy, no script has failed, and the console has no error. */
    void assertWellBehaved() {
        List<String> misdeeds = new ArrayList<>(list("arguments[0](window.misdeeds || [])"));
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(entry -> "console: " + entry.getMessage())
                .filter(message -> !troubled || !isTrouble(message))
                .forEach(misdeeds::add);
        assertThat(misdeeds).as("what the page did wrong").isEmpty();
    }

    /** The network's, which the browser tells of and no page can keep back. */
    private static boolean isTrouble(String message) {
        return message.contains("Failed to load resource") || message.contains("EventSource");
    }

    @Override
    public void close() {
        driver.quit();
    }
}
