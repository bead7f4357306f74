package io.distributedfallback.it.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** Where the breakers are: a PostgreSQL, and the ways to it. */
interface Database extends AutoCloseable {

    /**
     * The way of an instance.
     *
     * @param place of the instance in the cluster, from 0
     */
    String url(int place);

    /** A connection to whatever is the database now, past all that can be cut. */
    Connection connect() throws SQLException;

    /** Asks for one value past all that can be cut; empty if there is no row, or nothing in it. */
    default Optional<String> ask(String question) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            return rows.next() ? Optional.ofNullable(rows.getString(1)) : Optional.empty();
        }
    }

    @Override
    void close();
}
