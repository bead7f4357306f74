package io.distributedfallback.core;

import java.util.Optional;

/**
 * The rule for names of breakers: {@value #SHORTEST} to {@value #LONGEST} characters, not all of them blank, none of
 * them a control character or one that cannot be seen or stored (line and paragraph separators, characters that turn
 * the direction of writing, halves of surrogate pairs), the last of them no {@code ]}, which is kept for {@linkplain
 * KeyedName keyed breakers}. Anything else is welcome, and upper and lower case differ.
 */
public final class BreakerName {

    /** The fewest characters. */
    public static final int SHORTEST = 1;

    /** The most characters, counted as {@link String#length()} does; that is never fewer than the database counts. */
    public static final int LONGEST = 200;

    private BreakerName() {}

    /** What is wrong with a name; empty if it is usable. */
    public static Optional<String> flaw(String name) {
        if (name.isBlank()) {
            return Optional.of("it is " + (name.isEmpty() ? "empty" : "blank"));
        }
        if (name.length() > LONGEST) {
            return Optional.of("it has " + name.length() + " characters, and " + LONGEST + " is the most");
        }
        if (KeyedName.endsLikeOne(name)) {
            return Optional.of("it ends in ], as only the names of keyed breakers do");
        }
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            if (!Visible.isPlain(name.codePointAt(i))) {
                return Optional.of("it holds a control character or an invisible one");
            }
        }
        return Optional.empty();
    }

    /** What a user has to mend about a name that stands in some place; empty if it is usable. */
    public static Optional<Problem> problemWith(String name, String where) {
        return flaw(name)
                .map(flaw -> new Problem(
                        ProblemCode.DFB110,
                        FailureText.oneLine(where),
                        FailureText.oneLine(name),
                        Character.toUpperCase(flaw.charAt(0)) + flaw.substring(1) + ". Give the breaker a name of "
                                + SHORTEST + " to " + LONGEST + " visible characters, such as rawg"));
    }

    /**
     * Lets only usable names pass.
     *
     * @return the name
     * @throws IllegalArgumentException if it is not usable
     */
    static String require(String name) {
        problemWith(name, "Breakers.get").ifPresent(problem -> {
            throw new IllegalArgumentException(problem.toString());
        });
        return name;
    }
}
