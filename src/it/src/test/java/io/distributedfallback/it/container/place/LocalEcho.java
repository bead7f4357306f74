package io.distributedfallback.it.container.place;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Typed;

/** The backup of a REST client. */
@ApplicationScoped
@Typed(LocalEcho.class)
public class LocalEcho implements RemoteEcho {

    @Override
    public String say(String word) {
        return "local " + word;
    }
}
