package io.distributedfallback.store;

import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** Whether the calling thread has a transaction of the server, which is not ours to commit. */
final class CallersTransaction {

    private static final String NAME = "java:comp/TransactionSynchronizationRegistry";

    private CallersTransaction() {}

    static boolean isUnderWay() {
        try {
            return Registry.status() != Status.STATUS_NO_TRANSACTION;
        } catch (NamingException | ClassCastException | NoClassDefFoundError e) {
            // A server without such transactions.
            return false;
        }
    }

    /** By itself, because a server may not have the classes. */
    private static final class Registry {

        @SuppressWarnings("BanJNDI") // a name of the server's own
        static int status() throws NamingException {
            TransactionSynchronizationRegistry registry = InitialContext.doLookup(NAME);
            return registry.getTransactionStatus();
        }
    }
}
