package io.distributedfallback.sample.watchlist;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A title that somebody wants to remember. */
@Entity
@Table(name = "sample_watchlist")
public class WatchlistItem {

    static final int LONGEST_NAME = 200;

    @Id
    @Column(length = LONGEST_NAME)
    private String name;

    protected WatchlistItem() {}

    WatchlistItem(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }
}
