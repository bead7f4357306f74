package io.distributedfallback.sample.web;

import io.distributedfallback.Breaker;
import io.distributedfallback.Breakers;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/** The breakers, for the page to poll. */
@Path("breakers")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class BreakersResource {

    /**
     * What the page shows.
     *
     * @param breakers as this instance knows them
     * @param transitions the last ones that this instance made, newest first
     */
    public record Board(List<BreakerView> breakers, List<TransitionLog.Entry> transitions) {}

    @Inject
    Breakers breakers;

    @Inject
    TransitionLog transitions;

    @GET
    public Board board() {
        return new Board(
                breakers.all().stream()
                        .map(Breaker::status)
                        .map(BreakerView::of)
                        .toList(),
                transitions.latest());
    }
}
