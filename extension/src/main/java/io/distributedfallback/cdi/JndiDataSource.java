package io.distributedfallback.cdi;

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
            throw new IllegalStateException(e.toString(), e);
        }
    }
}
