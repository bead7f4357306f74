package io.distributedfallback.it.faults;

import java.sql.Connection;
import java.sql.SQLException;

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

    @Override
    void close();
}
