package io.distributedfallback.it.container.place;

/** What all of these answer. */
public interface Echo {

    String say(String word);
}
