package io.distributedfallback.it.container.kiosk;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** Lists its classes, and so is not searched for others. */
@ApplicationPath("kiosk")
public class KioskApplication extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(KioskResource.class);
    }
}
