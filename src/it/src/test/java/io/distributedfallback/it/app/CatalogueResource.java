package io.distributedfallback.it.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** The visitors' door. */
@RequestScoped
@Path("call/{breaker}")
public class CatalogueResource {

    @Inject
    Catalogue catalogue;

    @GET
    public String call(@PathParam("breaker") String breaker) {
        return switch (breaker) {
            case "outage" -> catalogue.outage();
            case "lease" -> catalogue.lease();
            case "deferred" -> catalogue.deferred();
            case "refused" -> catalogue.refused();
            case "throttled" -> catalogue.throttled();
            case "stored" -> catalogue.stored();
            case "frozen" -> catalogue.frozen();
            case "late" -> catalogue.late();
            case "healthy" -> catalogue.healthy();
            case "stranded" -> catalogue.stranded();
            case "trial" -> catalogue.trial();
            default -> throw new NotFoundException(breaker);
        };
    }
}
