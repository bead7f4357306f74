package io.distributedfallback.core;

import java.util.Optional;

/**
 * Says whether an application wants the admin. Found as a service, because it is asked when the server sets up the web
 * application, and nothing tells whether beans can be had by then.
 */
public interface AdminSwitch {

    /**
     * What the application's configuration says.
     *
     * @param application the application's class loader
     * @return empty if the admin is off, or what is said of it is not usable; that fails the deployment elsewhere
     */
    Optional<AdminAccess> access(ClassLoader application);
}
