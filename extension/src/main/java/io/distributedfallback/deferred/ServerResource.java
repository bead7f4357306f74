package io.distributedfallback.deferred;

import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** What the server gives an application under a name. */
final class ServerResource {

    private ServerResource() {}

    /**
     * Looks it up. The type comes by a supplier because a server may not even have the class.
     *
     * @throws RejectedExecutionException if it is not there
     */
    @SuppressWarnings("BanJNDI") // the name is the deployer's; Configuration lets no URL of a remote directory pass
    static <T> T lookUp(String name, Supplier<Class<T>> type) {
        try {
            return type.get().cast(InitialContext.doLookup(name));
        } catch (NamingException | ClassCastException e) {
            throw new RejectedExecutionException(
                    "no " + type.get().getSimpleName() + " under the JNDI name " + name, e);
        } catch (NoClassDefFoundError e) {
            throw new RejectedExecutionException("the server has no Jakarta Concurrency", e);
        }
    }
}
