package io.distributedfallback.config;

import io.distributedfallback.config.Settings.Identity;
import io.distributedfallback.config.Settings.Store;
import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.SchemaMode;
import io.distributedfallback.core.Timings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads what is the same for all breakers. */
final class SettingsReader {

    private static final String STORE = "store";
    private static final String DATASOURCE = "datasource";
    private static final String SCHEMA = "schema";
    private static final String EXECUTOR = "executor";
    private static final String FRESH = "snapshot.fresh";
    private static final String MAX_AGE = "snapshot.max-age";
    private static final String AT_START = "snapshot.at-start";
    private static final String PUSH = "push";
    private static final String READ_TIMEOUT = "store.read-timeout";
    private static final String WRITE_TIMEOUT = "store.write-timeout";
    private static final String RETIRE_AFTER = "store.retire-after";
    private static final String RETENTION = "history.retention";
    private static final String PREFIX = "prefix";
    private static final String INSTANCE_ID = "instance-id";
    private static final String METRICS = "metrics";

    /** All keys, without {@link ConfigValues#PREFIX}. */
    static final Set<String> KEYS = withOthers(Set.of(
            STORE,
            DATASOURCE,
            SCHEMA,
            EXECUTOR,
            FRESH,
            MAX_AGE,
            AT_START,
            PUSH,
            READ_TIMEOUT,
            WRITE_TIMEOUT,
            RETIRE_AFTER,
            RETENTION,
            PREFIX,
            INSTANCE_ID,
            METRICS));

    private static Set<String> withOthers(Set<String> own) {
        Set<String> all = new TreeSet<>(own);
        all.addAll(AdminReader.KEYS);
        all.addAll(AlertsReader.KEYS);
        all.add(DegradedReader.KEY);
        all.addAll(QueueReader.KEYS);
        return all;
    }

    private final ConfigValues values;
    private final Consumer<Problem> problems;

    SettingsReader(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        this.problems = problems;
    }

    /** The settings, with the default in the place of each value that is not usable. */
    Settings read(Supplier<String> instanceId) {
        return new Settings(
                store(),
                value(
                        DATASOURCE,
                        SettingsReader::jndiName,
                        "a JNDI name, such as jdbc/breakers",
                        Settings.DEFAULT_DATASOURCE),
                value(
                        EXECUTOR,
                        SettingsReader::jndiName,
                        "a JNDI name, such as concurrent/breakers",
                        Settings.DEFAULT_EXECUTOR),
                timings(),
                new Identity(
                        value(
                                INSTANCE_ID,
                                SettingsReader::plain,
                                "1 to 100 characters, such as pod-7",
                                instanceId.get()),
                        prefix()),
                value(METRICS, SettingsReader::isAuto, "auto or off", true));
    }

    private static boolean isAuto(String text) {
        if (text.equalsIgnoreCase("auto") || text.equalsIgnoreCase("off")) {
            return text.equalsIgnoreCase("auto");
        }
        throw new IllegalArgumentException("it is neither auto nor off");
    }

    /** What goes before each breaker's name in the store. */
    String prefix() {
        return value(PREFIX, SettingsReader::plain, "at most 100 characters, such as shop:", "");
    }

    private Store store() {
        return new Store(
                value(
                        STORE,
                        text -> ConfigValues.constant(StoreKind.class, text),
                        "jpa or memory",
                        Store.DEFAULT.kind()),
                value(
                        SCHEMA,
                        text -> ConfigValues.constant(SchemaMode.class, text),
                        "validate, create or none",
                        Store.DEFAULT.schema()),
                value(AT_START, ConfigValues::truth, "true or false", Store.DEFAULT.readAtStart()),
                value(
                        PUSH,
                        text -> ConfigValues.constant(PushMode.class, text),
                        "auto, on or off",
                        Store.DEFAULT.push()));
    }

    private Timings timings() {
        Timings timings = new Timings(
                duration(FRESH, Timings.DEFAULT.fresh()),
                duration(MAX_AGE, Timings.DEFAULT.maxAge()),
                duration(READ_TIMEOUT, Timings.DEFAULT.readTimeout()),
                duration(WRITE_TIMEOUT, Timings.DEFAULT.writeTimeout()),
                value(
                        RETIRE_AFTER,
                        Durations::parseOrOff,
                        "a positive duration, such as 24h, or off",
                        Timings.DEFAULT.retireAfter()),
                value(
                        RETENTION,
                        SettingsReader::retention,
                        "a duration of 1h or more, such as 2160h or P90D, or off",
                        Timings.DEFAULT.historyRetention()));
        if (timings.fresh().compareTo(timings.maxAge()) >= 0) {
            problems.accept(new Problem(
                    ProblemCode.DFB203,
                    ConfigValues.PREFIX + FRESH + " and " + ConfigValues.PREFIX + MAX_AGE,
                    FRESH + "=" + timings.fresh() + ", " + MAX_AGE + "=" + timings.maxAge(),
                    "Make snapshot.fresh shorter than snapshot.max-age, such as 2s and 30s"));
        }
        return timings;
    }

    private Duration duration(String key, Duration otherwise) {
        return value(key, Durations::parse, "a positive duration, such as 2s or PT2S", otherwise);
    }

    private <T> T value(String key, Function<String, T> parser, String expected, T otherwise) {
        return values.find(ConfigValues.PREFIX + key, problems)
                .flatMap(found -> found.read(parser, expected, problems))
                .orElse(otherwise);
    }

    /** What is kept for less than an hour is gone before anybody can look. */
    private static Optional<Duration> retention(String text) {
        Optional<Duration> retention = Durations.parseOrOff(text);
        if (retention.isPresent() && retention.get().compareTo(Duration.ofHours(1)) < 0) {
            throw new IllegalArgumentException("it is shorter than an hour");
        }
        return retention;
    }

    /** A name in the server's own directory: a URL would have another one asked, which may answer with code. */
    static String jndiName(String text) {
        if (text.indexOf(':') >= 0 && !text.startsWith("java:")) {
            throw new IllegalArgumentException("it is the URL of a directory and no name in the server's own");
        }
        return plain(text);
    }

    static String plain(String text) {
        BreakerName.flaw(text).ifPresent(flaw -> {
            throw new IllegalArgumentException(flaw);
        });
        if (text.length() > Identity.LONGEST) {
            throw new IllegalArgumentException("it has more than " + Identity.LONGEST + " characters");
        }
        return text;
    }
}
