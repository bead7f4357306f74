package io.distributedfallback.it.app;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import java.sql.SQLException;

/** Places an order. */
@RequestScoped
@Path("orders/{order}")
public class OrdersResource {

    @Inject
    Orders orders;

    @GET
    public String place(@PathParam("order") String order) throws SQLException {
        return orders.place(order);
    }
}
