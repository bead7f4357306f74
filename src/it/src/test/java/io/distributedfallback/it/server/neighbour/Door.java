package io.distributedfallback.it.server.neighbour;

import jakarta.annotation.Resource;
import jakarta.enterprise.concurrent.ManagedExecutorService;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.RejectedExecutionException;
import javax.sql.DataSource;

/** Takes connections and threads, and gives them back. */
@RequestScoped
@Path("/")
public class Door {

    @Inject
    Greed greed;

    @Resource(lookup = "jdbc/small")
    DataSource source;

    @Resource(lookup = "concurrent/small")
    ManagedExecutorService executor;

    @GET
    @Path("ready")
    public String ready() {
        return "ready";
    }

    /** Holds one connection until all are released: the request lasts as long. */
    @GET
    @Path("connection")
    public String connection() throws SQLException {
        try (Connection connection = source.getConnection()) {
            greed.hold();
            return connection.isValid(1) ? "valid" : "broken";
        }
    }

    /** Hands tasks over that end when all are released, and says how many were taken. */
    @GET
    @Path("threads")
    public int threads(@QueryParam("count") int count) {
        int taken = 0;
        for (int i = 0; i < count; i++) {
            try {
                executor.execute(greed.holder());
                taken++;
            } catch (RejectedExecutionException full) {
                return taken;
            }
        }
        return taken;
    }

    @GET
    @Path("holding")
    public int holding() {
        return greed.holding();
    }

    @GET
    @Path("release")
    public String release() {
        greed.release();
        return "released";
    }
}
