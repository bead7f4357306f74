package io.distributedfallback.sample.watchlist;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.util.List;

/** The application's own persistence unit, which the one of the breakers leaves alone. */
@ApplicationScoped
@Transactional
public class Watchlist {

    private static final int MOST = 50;

    @PersistenceContext
    EntityManager entities;

    public List<String> names() {
        return entities.createQuery("select i.name from WatchlistItem i order by i.name", String.class)
                .setMaxResults(MOST)
                .getResultList();
    }

    public void add(String name) {
        if (entities.find(WatchlistItem.class, name) == null) {
            entities.persist(new WatchlistItem(name));
        }
    }

    public void remove(String name) {
        WatchlistItem item = entities.find(WatchlistItem.class, name);
        if (item != null) {
            entities.remove(item);
        }
    }
}
