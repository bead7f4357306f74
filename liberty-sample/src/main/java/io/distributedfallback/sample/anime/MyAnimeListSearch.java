package io.distributedfallback.sample.anime;

import io.distributedfallback.sample.SearchResult;
import io.distributedfallback.sample.Title;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.json.JsonObject;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.faulttolerance.ExecutionContext;
import org.eclipse.microprofile.faulttolerance.FallbackHandler;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** The fallback of {@link AnimeCatalog#search}: a handler gets the parameters of the guarded method, and can be injected into. */
@ApplicationScoped
public class MyAnimeListSearch implements FallbackHandler<SearchResult> {

    @Inject
    @RestClient
    MyAnimeListClient mal;

    @Inject
    @ConfigProperty(name = "mal.client-id")
    String clientId;

    @Override
    public SearchResult handle(ExecutionContext context) {
        String query = (String) context.getParameters()[0];
        JsonObject page = mal.search(query, AnimeCatalog.PAGE, "start_date,mean,genres", clientId);
        return new SearchResult(
                "MyAnimeList",
                page.getJsonArray("data").getValuesAs(JsonObject.class).stream()
                        .map(item -> fromMyAnimeList(item.getJsonObject("node")))
                        .toList());
    }

    private static Title fromMyAnimeList(JsonObject anime) {
        String start = anime.getString("start_date", "");
        return new Title(
                anime.getString("title"),
                start.isEmpty() ? 0 : Integer.parseInt(start.substring(0, 4)),
                AnimeCatalog.score(anime, "mean"),
                AnimeCatalog.names(anime));
    }
}
