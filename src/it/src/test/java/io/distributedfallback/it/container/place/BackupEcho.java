package io.distributedfallback.it.container.place;

import jakarta.ejb.Local;
import jakarta.ejb.Stateless;

/** An EJB that offers an interface only. */
@Stateless
@Local(Echo.class)
@Spare
public class BackupEcho implements Echo {

    @Override
    public String say(String word) {
        return "spare " + word;
    }
}
