package io.distributedfallback.cdi;

import io.distributedfallback.core.ProblemCode;
import io.distributedfallback.core.StoreException;
import java.util.function.Supplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** Looks the data source up when it is needed first; again each time until it is found. */
record JndiDataSource(String name) implements Supplier<DataSource> {

    @Override
    @SuppressWarnings("BanJNDI") // the name is the deployer's; Configuration lets no URL of a remote directory pass
    public DataSource get() {
        try {
            return InitialContext.doLookup(name);
        } catch (NamingException | ClassCastException e) {
            throw new StoreException(
                    ProblemCode.DFB301,
                    ProblemCode.DFB301.summary() + ": JNDI name " + name
                            + ". Declare a data source of that name on the server, or name another one in"
                            + " distributed-fallback.datasource",
                    e);
        }
    }
}
