package io.distributedfallback.it.container.defect;

/** What catalogues have in common. */
public interface Shelf {

    String search(String query);
}
