package io.distributedfallback.config;

import io.distributedfallback.core.BreakerName;
import io.distributedfallback.core.FailureText;
import io.distributedfallback.core.Problem;
import io.distributedfallback.core.ProblemCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Tells the keys that something reads from those that nothing reads. A name of a breaker may hold dots, so the last
 * segment of a key says which key it is, and all before it is the name. Environment variables are not looked at: their
 * names cannot be told from those of others.
 */
final class KeyCatalogue {

    private static final String DEFAULT_SECTION = "default.";
    private static final String BREAKER_SECTION = "breaker.";
    /** The annotations, and what a key that overrides a member of theirs may end with. */
    private static final Map<String, Set<String>> ANNOTATIONS = annotations();

    /** Comparing takes the square of the length; a key with a name and more is shorter. */
    private static final int LONGEST_COMPARED = 2 * BreakerName.LONGEST;

    private final Set<String> breakers = new TreeSet<>();

    private final ConfigValues values;

    /** Goes through the names of properties. */
    KeyCatalogue(ConfigValues values, Consumer<Problem> problems) {
        this.values = values;
        for (String name : new TreeSet<>(listOf(values.names()))) {
            if (name.startsWith(ConfigValues.PREFIX)) {
                checkKey(name.substring(ConfigValues.PREFIX.length()), problems);
            } else {
                ANNOTATIONS.forEach((annotation, members) -> {
                    if (name.startsWith(annotation + "/") || name.contains("/" + annotation + "/")) {
                        checkOverride(name, annotation + "/", members, problems);
                    }
                });
            }
        }
    }

    private static Map<String, Set<String>> annotations() {
        Map<String, Set<String>> annotations = new TreeMap<>(RungMembers.KNOWN);
        annotations.put("DistributedFallback", MemberOverrides.MEMBERS);
        return annotations;
    }

    /** The breakers that keys name. */
    Set<String> breakers() {
        return breakers;
    }

    private void checkKey(String key, Consumer<Problem> problems) {
        Optional<String> breaker = breakerOf(key);
        if (breaker.isPresent()) {
            breakers.add(breaker.get());
        } else if (!isInstanceWide(key)) {
            problems.accept(unknown(ConfigValues.PREFIX + key, remedy(key)));
        }
    }

    private static Optional<String> breakerOf(String key) {
        if (!key.startsWith(BREAKER_SECTION)) {
            return Optional.empty();
        }
        String rest = key.substring(BREAKER_SECTION.length());
        int dot = rest.lastIndexOf('.');
        return dot > 0 && isPolicyKey(rest.substring(dot + 1)) ? Optional.of(rest.substring(0, dot)) : Optional.empty();
    }

    private static boolean isInstanceWide(String key) {
        return SettingsReader.KEYS.contains(key)
                || Stream.of(PolicyKey.values())
                        .filter(PolicyKey::hasDefault)
                        .anyMatch(policyKey -> key.equals(DEFAULT_SECTION + policyKey.key()));
    }

    private static boolean isPolicyKey(String segment) {
        return Stream.of(PolicyKey.values()).anyMatch(key -> key.key().equals(segment));
    }

    private static String remedy(String key) {
        String last = key.substring(key.lastIndexOf('.') + 1);
        boolean lacksName =
                key.equals(last) || key.equals(BREAKER_SECTION + last) || key.equals(DEFAULT_SECTION + last);
        if (lacksName && isPolicyKey(last)) {
            return "Did you mean " + ConfigValues.PREFIX + BREAKER_SECTION + "<name>." + last + "?";
        }
        return nearest(key, candidates(key))
                .map(near -> "Did you mean " + ConfigValues.PREFIX + near + "?")
                .orElse("Remove it, or see the list of keys in the guide");
    }

    private static List<String> candidates(String key) {
        List<String> candidates = new ArrayList<>(SettingsReader.KEYS);
        int first = key.indexOf('.');
        int last = key.lastIndexOf('.');
        String name = first >= 0 && first < last ? key.substring(first + 1, last) : "<name>";
        for (PolicyKey policyKey : PolicyKey.values()) {
            candidates.add(BREAKER_SECTION + name + "." + policyKey.key());
            if (policyKey.hasDefault()) {
                candidates.add(DEFAULT_SECTION + policyKey.key());
            }
        }
        return candidates;
    }

    private void checkOverride(String name, String annotation, Set<String> members, Consumer<Problem> problems) {
        String member = name.substring(name.lastIndexOf(annotation) + annotation.length());
        if (!members.contains(member)) {
            String known = "The members are " + String.join(", ", members);
            problems.accept(unknown(
                    name,
                    nearest(member, members)
                            .map(near -> "Did you mean " + near + "? " + known)
                            .orElse(known)));
        }
    }

    private Problem unknown(String key, String remedy) {
        return new Problem(ProblemCode.DFB202, FailureText.oneLine(values.place(key)), "", remedy);
    }

    private static Optional<String> nearest(String word, Iterable<String> candidates) {
        if (word.length() > LONGEST_COMPARED) {
            return Optional.empty();
        }
        String nearest = null;
        int least = Math.max(1, Math.min(4, word.length() / 3)) + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** How many characters must be put in, taken out or changed to make one word of the other (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }

    private static List<String> listOf(Iterable<String> names) {
        List<String> list = new ArrayList<>();
        names.forEach(list::add);
        return list;
    }
}
