package io.distributedfallback.it.faults;

import java.util.ArrayList;
import java.util.List;

/**
 * A moment in what an instance does with its database.
 *
 * @param statement what it says
 * @param isCommit whether the moment is that of the statement's commit, and not of the statement
 * @param isAfter whether the database has done it, and the instance does not know yet; otherwise the database has not heard of it
 */
record Step(Statement statement, boolean isCommit, boolean isAfter) {

    /** Statements, by words that are in no other. */
    enum Statement {
        READ("the read of all rows", "CROSS JOIN moment) AS r WHERE r.active", ""),
        RECORD("the record of a failure", "INSERT INTO distributed_breaker AS b", "catalogue"),
        LEASE("the lease", "probe_lease_until = now + ", "catalogue"),
        VERDICT("the verdict", "AS verdict FROM moment", "catalogue"),
        COMMAND("an operator's command", "c.* FROM distributed_breaker_command(", "catalogue"),
        LISTEN("the LISTEN", "LISTEN distributed_breaker\0", "");

        private final String title;
        private final String sign;
        private final String parameter;

        Statement(String title, String sign, String parameter) {
            this.title = title;
            this.sign = sign;
            this.parameter = parameter;
        }

        boolean isIn(String request) {
            return request.contains(sign) && request.contains(parameter);
        }
    }

    static Step before(Statement statement) {
        return new Step(statement, false, false);
    }

    static Step after(Statement statement) {
        return new Step(statement, false, true);
    }

    static Step beforeCommit(Statement statement) {
        return new Step(statement, true, false);
    }

    static Step afterCommit(Statement statement) {
        return new Step(statement, true, true);
    }

    /** All of them that every instance comes to again and again. */
    static List<Step> recurring() {
        List<Step> steps = new ArrayList<>();
        for (Statement statement : List.of(Statement.READ, Statement.RECORD, Statement.LEASE, Statement.VERDICT)) {
            steps.addAll(List.of(before(statement), after(statement), beforeCommit(statement), afterCommit(statement)));
        }
        return List.copyOf(steps);
    }

    @Override
    public String toString() {
        return (isAfter ? "after " : "before ") + (isCommit ? "the commit of " : "") + statement.title;
    }
}
