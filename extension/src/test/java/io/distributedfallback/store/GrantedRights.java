package io.distributedfallback.store;

import io.distributedfallback.docs.Guide;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The rights that the guide says the application's role needs, read from the page itself: page and tests cannot part. */
final class GrantedRights {

    private static final Pattern GRANT =
            Pattern.compile("GRANT (?<rights>[A-Z, ]+) ON (?<kind>SCHEMA |FUNCTION )?(?<what>\\w+) TO the_role;");

    private GrantedRights() {}

    /** One right on one table. */
    record OnTable(String right, String table) {

        String grantTo(String role) {
            return "GRANT " + right + " ON " + table + " TO " + role;
        }

        String revokeFrom(String role) {
            return "REVOKE " + right + " ON " + table + " FROM " + role;
        }
    }

    /** Each single right on a table that the page names. */
    static List<OnTable> onTables() {
        return GRANT.matcher(page())
                .results()
                .filter(grant -> grant.group(2) == null)
                .flatMap(grant ->
                        Arrays.stream(grant.group(1).split(", ")).map(right -> new OnTable(right, grant.group(3))))
                .toList();
    }

    /** The statements of the page for a kind of thing that is no table, as {@code SCHEMA}. */
    static List<String> statements(String kind) {
        return GRANT.matcher(page())
                .results()
                .filter(grant -> (kind + " ").equals(grant.group(2)))
                .map(grant -> grant.group())
                .toList();
    }

    private static String page() {
        String section = Guide.section("operations.md", "The tables");
        return section.substring(section.indexOf("\n### Rights\n"));
    }
}
