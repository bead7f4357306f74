package io.distributedfallback.config;

import io.distributedfallback.config.ConfigValues.Found;
import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads whether there is an admin, and whom it lets in. Nothing that is missing or misread lets anybody in. */
final class AdminReader {

    private static final String ENABLED = "admin.enabled";
    private static final String PATH = "admin.path";
    private static final String ROLE = "admin.role";
    private static final String COMMAND_ROLE = "admin.command-role";
    private static final String TRANSPORT = "admin.transport";

    /** All keys, without {@link ConfigValues#PREFIX}. */
    static final Set<String> KEYS = new TreeSet<>(Set.of(ENABLED, PATH, ROLE, COMMAND_ROLE, TRANSPORT));

    private static final int LONGEST = 100;

    /** What needs no encoding in a path, so that the server and the admin cannot take it for two different things. */
    private static final Pattern PATHS = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+");

    private final ConfigValues values;
    private final Consumer<Problem> problems;

    AdminReader(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        this.problems = problems;
    }

    /** Empty if it is off, or something is wrong. */
    Optional<AdminAccess> read() {
        boolean enabled = value(ENABLED, ConfigValues::truth, "true or false").orElse(false);
        Optional<String> path = value(PATH, AdminReader::path, "a path, such as " + AdminAccess.DEFAULT_PATH);
        Optional<String> role = value(ROLE, AdminReader::role, "the name of a role, such as breaker-viewer");
        Optional<String> commandRole =
                value(COMMAND_ROLE, AdminReader::role, "the name of a role, such as breaker-operator");
        Optional<Boolean> confidential = value(TRANSPORT, AdminReader::isConfidential, "any or confidential");
        if (!enabled) {
            return Optional.empty();
        }
        if (role.isEmpty()) {
            if (!isSet(ROLE)) {
                problems.accept(new Problem(
                        ProblemCode.DFB210,
                        values.place(ConfigValues.PREFIX + ENABLED),
                        "true",
                        "Set " + ConfigValues.PREFIX + ROLE
                                + " to the role of those who may look at the breakers, and bind it to users or groups"
                                + " on the server"));
            }
            return Optional.empty();
        }
        if (isMisread(PATH, path) || isMisread(COMMAND_ROLE, commandRole) || isMisread(TRANSPORT, confidential)) {
            return Optional.empty();
        }
        return Optional.of(new AdminAccess(
                path.orElse(AdminAccess.DEFAULT_PATH),
                role.get(),
                commandRole.orElse(role.get()),
                confidential.orElse(false)));
    }

    private boolean isMisread(String key, Optional<?> read) {
        return read.isEmpty() && isSet(key);
    }

    private boolean isSet(String key) {
        return values.find(ConfigValues.PREFIX + key, ignored -> {}).isPresent();
    }

    private <T> Optional<T> value(String key, Function<String, T> parser, String expected) {
        return values.find(ConfigValues.PREFIX + key, problems)
                .flatMap((Found found) -> found.read(parser, expected, problems));
    }

    private static String path(String text) {
        if (text.length() > LONGEST || !PATHS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "it is not a slash and a name, once or several times, of letters, digits,"
                            + " dots, hyphens and underscores, with " + LONGEST + " characters at most");
        }
        return text;
    }

    private static String role(String text) {
        if (text.equals("*") || text.equals("**")) {
            throw new IllegalArgumentException("it would let in everybody, or everybody who can log in");
        }
        return SettingsReader.plain(text);
    }

    private static boolean isConfidential(String text) {
        return switch (text) {
            case "any" -> false;
            case "confidential" -> true;
            default -> throw new IllegalArgumentException("there is no such value");
        };
    }
}
