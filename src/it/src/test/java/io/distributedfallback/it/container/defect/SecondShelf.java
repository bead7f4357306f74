package io.distributedfallback.it.container.defect;

import jakarta.enterprise.context.ApplicationScoped;

/** A catalogue that is sound. */
@ApplicationScoped
public class SecondShelf implements Shelf {

    @Override
    public String search(String query) {
        return query;
    }
}
