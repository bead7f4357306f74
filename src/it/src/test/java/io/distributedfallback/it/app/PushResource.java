package io.distributedfallback.it.app;

import io.distributedfallback.Breakers;
import io.distributedfallback.CopyStatus;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;

/** Changes breakers on one instance, and sees on another when their routes change. */
@RequestScoped
@Path("push")
public class PushResource {

    @Inject
    Breakers breakers;

    @Inject
    RouteWatch watch;

    @Resource(lookup = "java:comp/DefaultDataSource")
    DataSource source;

    /** What this instance listens to, and whether it has read. */
    @GET
    @Path("copy")
    public String copy() {
        CopyStatus copy = breakers.copy();
        return copy.push() + " " + (copy.age().isPresent() ? "read" : "unread") + " "
                + (copy.storeUp() ? "up" : "down");
    }

    /**
     * Carries out a command.
     *
     * @return when its commit was sent, in microseconds since 1970
     */
    @GET
    @Path("change/{breaker}/{action}")
    public String change(@PathParam("breaker") String breaker, @PathParam("action") String action) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement command = connection.prepareStatement(
                        "SELECT name FROM distributed_breaker_command(?, ?, 'the test', 'to see it change')")) {
            connection.setAutoCommit(false);
            command.setString(1, breaker);
            command.setString(2, action);
            command.execute();
            String sent = Long.toString(micros());
            connection.commit();
            return sent;
        }
    }

    static long micros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Begins to look at the routes of breakers named by a prefix and a number, from 0 on. */
    @GET
    @Path("watch/{prefix}")
    public String watch(@PathParam("prefix") String prefix, @QueryParam("breakers") int count) {
        watch.begin(prefix, count);
        return "watching";
    }

    /** What has been seen: lines of breaker, route and moment in microseconds since 1970. */
    @GET
    @Path("seen")
    public String seen() {
        return watch.seen();
    }
}
