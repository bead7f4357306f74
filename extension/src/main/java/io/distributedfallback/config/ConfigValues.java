package io.distributedfallback.config;

import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigValue;

/** Reads single values and turns what is wrong with them into problems. As thread-safe as the {@link Config}. */
final class ConfigValues {

    /** Before every key of the product. */
    static final String PREFIX = "distributed-fallback.";

    private final Config config;

    ConfigValues(Config config) {
        this.config = config;
    }

    /**
     * A value and where it stands.
     *
     * @param where a key with its config source, or a member of an annotation with its class
     * @param text the value, without space around it, not empty
     */
    record Found(String where, String text) {

        /**
         * Reads the text.
         *
         * @param parser throws an {@link IllegalArgumentException} that says what is wrong
         * @param expected what would be right, with an example
         * @return empty if it cannot be read; a problem has been reported then
         */
        <T> Optional<T> read(Function<String, T> parser, String expected, Consumer<Problem> problems) {
            try {
                return Optional.of(parser.apply(text));
            } catch (IllegalArgumentException e) {
                problems.accept(unusable(where, text, sentence(e.getMessage()) + "Give it " + expected));
                return Optional.empty();
            }
        }

        private static String sentence(String flaw) {
            return flaw == null || flaw.isBlank()
                    ? ""
                    : flaw.substring(0, 1).toUpperCase(Locale.ROOT) + flaw.substring(1) + ". ";
        }
    }

    /** A value, if the key is set to one that is not blank; a value that cannot be had at all is a problem. */
    Optional<Found> find(String key, Consumer<Problem> problems) {
        try {
            ConfigValue value = config.getConfigValue(key);
            String text = value.getValue();
            if (text != null && !text.isBlank()) {
                return Optional.of(new Found(place(key, value.getSourceName()), text.strip()));
            }
            String raw = value.getRawValue();
            if (text == null && raw != null && !raw.isBlank()) {
                problems.accept(unusable(
                        place(key, value.getSourceName()), raw, "The expression leads nowhere. Set what it refers to"));
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            // An expression in the value that leads nowhere, or a source that fails: neither may break a call.
            problems.accept(unusable(key, "", FailureText.clean(String.valueOf(e.getMessage())) + ". Mend the value"));
            return Optional.empty();
        }
    }

    /** A value as true or false, by MicroProfile's own rules: what is not true is false. */
    boolean flag(Found found) {
        return config.getConverter(Boolean.class)
                .map(reader -> reader.convert(found.text()))
                .orElse(true);
    }

    /** The names of all properties that the sources can list. */
    Iterable<String> names() {
        return config.getPropertyNames();
    }

    /** A key, and the source that has it. */
    String place(String key) {
        try {
            return place(key, config.getConfigValue(key).getSourceName());
        } catch (RuntimeException e) {
            // An expression in its value that leads nowhere; it is the key that matters here.
            return key;
        }
    }

    /** As MicroProfile Config reads a boolean, but what is neither true nor false is a mistake here. */
    static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "1", "yes", "y", "on" -> true;
            case "false", "0", "no", "n", "off" -> false;
            default -> throw new IllegalArgumentException("it is neither true nor false");
        };
    }

    /** Reads the name of a constant, in any case, with {@code -} for {@code _}. */
    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(text.replace('-', '_'))) {
                return constant;
            }
        }
        throw new IllegalArgumentException("there is no such value");
    }

    /** A value that cannot be used. Secrets in it are masked. */
    static Problem unusable(String where, String value, String remedy) {
        return new Problem(ProblemCode.DFB201, where, FailureText.clean(value), remedy);
    }

    private static String place(String key, String source) {
        return source == null ? key : key + " (from " + FailureText.clean(source) + ")";
    }
}
