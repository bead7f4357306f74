package io.distributedfallback.it.rest.app;

import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What visitors ask where there is no Jakarta REST. */
@WebServlet("/ready")
public class PlainDesk extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Inject
    private transient Shelf shelf;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(shelf.limited());
    }
}
