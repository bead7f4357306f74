package io.distributedfallback.config;

import io.distributedfallback.core.AdminAccess;
import io.distributedfallback.core.AdminSwitch;
import java.util.Optional;

/** What MicroProfile Config says of the admin; a service. */
public final class ConfiguredAdmin implements AdminSwitch {

    @Override
    public Optional<AdminAccess> access(ClassLoader application) {
        return Configuration.of(application).admin(ignored -> {});
    }
}
