package io.distributedfallback.it.container;

import io.distributedfallback.Breakers;
import jakarta.inject.Inject;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/** Asks the flaky primary, and shows what has been counted. */
@WebServlet({"/ask", "/ask-and-stay", "/mend", "/calls", "/probes", "/read"})
public class FlakyServlet extends HttpServlet {

    /** Much longer than a probe that does not wait for the end of the request would need. */
    private static final long STAY_MILLIS = 1500;

    @Inject
    Flaky flaky;

    @Inject
    Breakers breakers;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(
                        switch (request.getServletPath()) {
                            case "/ask" -> flaky.ask();
                            case "/ask-and-stay" -> askAndStay();
                            case "/mend" -> mend();
                            case "/calls" -> flaky.calls();
                            case "/read" -> breakers.copy().age().isPresent();
                            default -> flaky.probes();
                        });
    }

    private String mend() {
        flaky.mend();
        return "mended";
    }

    /** The answer, and how many probes ran while the request was being served. */
    private String askAndStay() {
        int before = flaky.probes();
        String answer = flaky.ask();
        long end = System.nanoTime() + STAY_MILLIS * 1_000_000;
        while (flaky.probes() == before && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(10_000_000);
        }
        return answer + " " + (flaky.probes() - before);
    }
}
