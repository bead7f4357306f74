package io.distributedfallback.it.rest.app;

import io.distributedfallback.rest.FallbackLimitedMapper;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** Lists what there is, and so the server looks for nothing else. */
@ApplicationPath("/listed")
public class ListingSite extends Application {

    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(Desk.class, FallbackLimitedMapper.class);
    }
}
