package io.distributedfallback.simulator;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The five providers, by the first part of the path. */
@ApplicationScoped
class Providers {

    private final Map<String, Provider> byName = new LinkedHashMap<>();

    Providers() {
        Shelf<Game> games = Shelf.games();
        Shelf<Anime> anime = Shelf.anime();
        add("rawg", new RawgApi(games));
        add("igdb", new IgdbApi(games));
        add("jikan", new JikanApi(anime));
        add("mal", new MyAnimeListApi(anime));
        add("sendgrid", new SendGridApi());
    }

    Optional<Provider> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    Collection<Provider> all() {
        return byName.values();
    }

    private void add(String name, ProviderApi api) {
        byName.put(name, new Provider(name, api));
    }
}
